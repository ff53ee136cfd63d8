#!/bin/bash
# The project's launcher: tools/mpirun.sh [-n RANKS] COMMAND ...
# Starts COMMAND on RANKS ranks (default 4) of this machine, however few cores it has, under Open MPI or MPICH.
#   CAIRN_MPIEXEC      which launcher; default mpiexec. The tests set the one of their build tree.
#   CAIRN_MPI_YIELD    path of libcairn_mpi_yield.so, preloaded if it exists (tests only)
#   CAIRN_MPI_TIMEOUT  end the run after so many seconds
#   CAIRN_TIMING=1     for measurements: ranks bound to cores, waiting by spinning, no preload
set -euo pipefail

ranks=4
if [ "${1:-}" = -n ]; then
  ranks=$2
  shift 2
fi
[ $# -gt 0 ] || { sed -n '2,/^set /{/^#/p}' "$0" >&2; exit 2; }
limit=${CAIRN_MPI_TIMEOUT:-}
unset CAIRN_MPI_TIMEOUT
[ -z "$limit" ] || exec timeout --kill-after=10 "$limit" "$BASH" "$0" -n "$ranks" "$@"

# Whether a launcher waits for a lock while no process that it started is running: all have ended, or none has begun.
is_locked_up() {
  local children child state
  [[ $(cat "/proc/$1/wchan") == futex* ]] && children=$(cat "/proc/$1"/task/*/children) || return 1
  for child in $children; do
    read -r state <"/proc/$child/stat" || continue
    state=${state##*) }
    [ "${state::1}" = Z ] || return 1
  done
}

# Open MPI's launcher (4.1.4) may lock itself up for good in PMIx_server_finalize where some ranks call MPI_Abort and
# others MPI_Finalize: in one of eight such runs. Ends it after ten seconds like that, as `cairn` does
# (apps/mpi/launch.cpp).
end_if_locked_up() {
  local seconds=0
  while [ "$seconds" -lt 10 ]; do
    sleep 1
    kill -0 "$1" || return 0
    if is_locked_up "$1"; then seconds=$((seconds + 1)); else seconds=0; fi
  done
  kill -KILL "$1"
}

mpiexec=${CAIRN_MPIEXEC:-mpiexec}
command -v "$mpiexec" >/dev/null || { echo "mpirun.sh: no launcher $mpiexec" >&2; exit 2; }
timing=${CAIRN_TIMING:-0}
export OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}

case "$("$mpiexec" --version 2>&1)" in
*"Open MPI"* | *OpenRTE* | *"Open RTE"*)
  options=(--oversubscribe)
  [ "$(id -u)" -ne 0 ] || options+=(--allow-run-as-root)
  (end_if_locked_up $$ &) &>/dev/null </dev/null  # this process becomes the launcher
  if [ "$timing" = 1 ]; then
    options+=(--bind-to core:overload-allowed)  # ranks may be more than cores
  else
    options+=(--bind-to none)
    export OMPI_MCA_mpi_yield_when_idle=1
    export OMPI_MCA_pml=${OMPI_MCA_pml:-ob1}  # the usual one of a node: to look for networks takes a fifth of a second
    [ ! -e "${CAIRN_MPI_YIELD:-}" ] || options+=(-x LD_PRELOAD="$CAIRN_MPI_YIELD")
  fi
  ;;
*HYDRA* | *hydra* | *MPICH*)
  export MPIR_CVAR_DEVICE_COLLECTIVES=none  # those of 4.0.2 crash in MPI_Reduce with MPI_IN_PLACE
  options=()
  if [ "$timing" = 1 ]; then
    options+=(-bind-to core)
  elif [ -e "${CAIRN_MPI_YIELD:-}" ]; then
    options+=(-genv LD_PRELOAD "$CAIRN_MPI_YIELD")
  fi
  ;;
*)
  options=()
  ;;
esac

exec "$mpiexec" "${options[@]}" -n "$ranks" "$@"
