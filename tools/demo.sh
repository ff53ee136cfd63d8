#!/bin/bash
# Multiply the Hamiltonian of 128 water molecules with their overlap matrix on 4 ranks, check the result, and
# compare the words moved with the prediction and the lower bound.
set -euo pipefail
cd "$(dirname "$0")/.."
cairn=build/dev/apps/cairn
[ -x $cairn ] || { echo "demo: $cairn is not built; run 'make demo'" >&2; exit 1; }

command="$cairn multiply data/water128_szv_H.mtx.gz data/water128_szv_S.mtx.gz -o build/HS.npy --ranks 4 --check --verify-counts"
echo
echo "\$ $command"
exec $command
