#!/bin/bash
# The fixtures of the Python tests.
#   install.sh venv VENV PYTHON              what tests/python/requirements.txt names, in a VENV made by PYTHON, once for all trees
#   install.sh package VENV SOURCE TREE [CMAKE_DEFINE ...]
#                                            the package, installed by pip into TREE/python/site with the library of that build tree
# Later calls take what is there.
set -euo pipefail
wanted=$(dirname "$0")/requirements.txt

fail() {
  echo "$1" >&2
  echo "To leave the Python tests out: cmake -DCAIRN_PYTHON_TESTS=OFF" >&2
  exit 1
}

make_venv() {
  local venv=$1 python=$2
  ! cmp -s "$wanted" "$venv/installed.txt" || return 0
  rm -rf "$venv"
  mkdir -p "$(dirname "$venv")"
  "$python" -m venv "$venv" || fail "Python's venv is missing: tools/install_packages.sh build"
  timeout 600 "$venv/bin/pip" install --quiet --disable-pip-version-check --prefer-binary --no-compile -r "$wanted" ||
    fail "pip could not install what $wanted names: is a package index reachable?"
  cp "$wanted" "$venv/installed.txt"
}

install_package() {
  local venv=$1 source=$2 tree=$3
  shift 3
  local settings=(build-dir="$tree/python/build" cmake.build-type=RelWithDebInfo
                  cmake.define.CMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -D_GLIBCXX_ASSERTIONS"
                  cmake.define.CAIRN_LIBRARY_OF="$tree" cmake.define.CAIRN_APPS=OFF cmake.define.CAIRN_WERROR=ON)
  for define in "$@"; do
    settings+=(cmake.define."$define")
  done
  [ -x "$venv/bin/pip" ] || fail "$venv is missing: run the test python.venv first"
  unset CAIRN_MPI_FLAVOUR
  rm -rf "$tree/python/site"
  PATH=$venv/bin:$PATH "$venv/bin/pip" install --quiet --disable-pip-version-check --no-build-isolation --no-deps --no-index \
    --target "$tree/python/site" "${settings[@]/#/--config-settings=}" "$source"
  # Debian's MPICH has another name than those that mpi4py's wheels look for.
  mkdir -p "$tree/python/lib"
  for library in /usr/lib/*/libmpich.so.12; do
    [ ! -e "$library" ] || ln -sf "$library" "$tree/python/lib/libmpi.so.12"
  done
}

case $1 in
  venv) make_venv "${@:2}" ;;
  package) install_package "${@:2}" ;;
esac
