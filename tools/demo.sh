#!/bin/bash
# Three acts on 4 ranks, with the Hamiltonian H and the overlap matrix S of 128 water molecules. First H·S is computed and
# checked, and the words moved are compared with the prediction and the lower bound. Then S is factorised, and the
# eigenvalue problem of H and S is brought to standard form. At last the density matrix of the water's 1024 electrons is
# found by products of block-sparse matrices; a dense solution has the energy -357.31805190 Hartree.
set -euo pipefail
cd "$(dirname "$0")/.."
cairn=build/dev/apps/cairn H=data/water128_szv_H.mtx.gz S=data/water128_szv_S.mtx.gz
[ -x $cairn ] || { echo "demo: $cairn is not built; run 'make demo'" >&2; exit 1; }

show() {
  echo
  echo "\$ $*"
  "$@"
}
show $cairn multiply $H $S -o build/HS.npy --ranks 4 --check --verify-counts
# The launcher that belongs to the MPI of this build
export CAIRN_MPIEXEC=${CAIRN_MPIEXEC:-$(sed -n 's/^MPIEXEC_EXECUTABLE:.*=//p' build/dev/CMakeCache.txt)}
show tools/mpirun.sh -n 4 build/dev/examples/04_standard_form $H $S
show $cairn density $H $S --electrons 1024 --blocks 6 -o build/P.cbs --ranks 4
