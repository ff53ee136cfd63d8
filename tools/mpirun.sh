#!/bin/bash
# The project's launcher: tools/mpirun.sh [-n RANKS] COMMAND ...
# Starts COMMAND on RANKS ranks (default 4) of this machine, however few cores it has, under Open MPI or MPICH.
#   CAIRN_MPIEXEC      which launcher; default mpiexec. The tests set the one of their build tree.
#   CAIRN_MPICH_YIELD  path of libcairn_mpich_yield.so, preloaded under MPICH if it exists (tests only)
#   CAIRN_MPI_TIMEOUT  end the run after so many seconds
#   CAIRN_TIMING=1     for measurements: ranks bound to cores, waiting by spinning, no preload
set -euo pipefail

ranks=4
if [ "${1:-}" = -n ]; then
  ranks=$2
  shift 2
fi
[ $# -gt 0 ] || { sed -n '2,/^set /{/^#/p}' "$0" >&2; exit 2; }

mpiexec=${CAIRN_MPIEXEC:-mpiexec}
command -v "$mpiexec" >/dev/null || { echo "mpirun.sh: no launcher $mpiexec" >&2; exit 2; }
timing=${CAIRN_TIMING:-0}
export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}

case "$("$mpiexec" --version 2>&1)" in
*"Open MPI"* | *OpenRTE* | *"Open RTE"*)
  options=(--oversubscribe)
  [ "$(id -u)" -ne 0 ] || options+=(--allow-run-as-root)
  if [ "$timing" = 1 ]; then
    options+=(--bind-to core)
  else
    options+=(--bind-to none)
    export OMPI_MCA_mpi_yield_when_idle=1
  fi
  ;;
*HYDRA* | *hydra* | *MPICH*)
  export MPIR_CVAR_DEVICE_COLLECTIVES=none  # those of 4.0.2 crash in MPI_Reduce with MPI_IN_PLACE
  options=()
  if [ "$timing" = 1 ]; then
    options+=(-bind-to core)
  elif [ -e "${CAIRN_MPICH_YIELD:-}" ]; then
    options+=(-genv LD_PRELOAD "$CAIRN_MPICH_YIELD")
  fi
  ;;
*)
  options=()
  ;;
esac

limit=()
[ -z "${CAIRN_MPI_TIMEOUT:-}" ] || limit=(timeout --kill-after=10 "$CAIRN_MPI_TIMEOUT")
exec "${limit[@]}" "$mpiexec" "${options[@]}" -n "$ranks" "$@"
