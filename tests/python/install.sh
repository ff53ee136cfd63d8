#!/bin/bash
# The fixture of the Python tests: the package, installed by pip into TREE/python/site with the library of that build tree.
#   install.sh SOURCE TREE VENV PYTHON [CMAKE_DEFINE ...]
# VENV is made by PYTHON, once for all trees, with what tests/python/requirements.txt names. Later calls take what is there.
set -euo pipefail
source=$1 tree=$2 venv=$3 python=$4
shift 4
wanted=$source/tests/python/requirements.txt

fail() {
  echo "$1" >&2
  echo "To leave the Python tests out: cmake -DCAIRN_PYTHON_TESTS=OFF" >&2
  exit 1
}

# once FILE COMMAND: in a venv in which FILE is not yet as it is wanted; trees of other MPIs want the same, and wait.
once() {
  (
    flock 9
    cmp -s "$wanted" "$venv/$1" || { "$2" && cp "$wanted" "$venv/$1"; }
  ) 9> "$venv.$1.lock"
}
from_index() {
  timeout 600 "$venv/bin/pip" install --quiet --disable-pip-version-check --prefer-binary --no-compile "$@" ||
    fail "pip could not install what $wanted names: is a package index reachable?"
}
what_builds() {
  rm -rf "$venv"
  "$python" -m venv "$venv" || fail "Python's venv is missing: tools/install_packages.sh build"
  from_index $(grep -E '^(scikit-build-core|nanobind)' "$wanted")
}
what_tests() { from_index -r "$wanted"; }

mkdir -p "$tree/python" "$(dirname "$venv")"
once builds.txt what_builds
once tests.txt what_tests &  # while the package is built
others=$!

settings=(build-dir="$tree/python/build" cmake.build-type=RelWithDebInfo
          cmake.define.CMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -D_GLIBCXX_ASSERTIONS"
          cmake.define.CAIRN_LIBRARY_OF="$tree" cmake.define.CAIRN_APPS=OFF cmake.define.CAIRN_WERROR=ON)
for define in "$@"; do
  settings+=(cmake.define."$define")
done
unset CAIRN_MPI_FLAVOUR
rm -rf "$tree/python/site"
PATH=$venv/bin:$PATH "$venv/bin/pip" install --quiet --disable-pip-version-check --no-build-isolation --no-deps --no-index \
  --target "$tree/python/site" "${settings[@]/#/--config-settings=}" "$source"
wait $others
# Debian's MPICH has another name than those that mpi4py's wheels look for.
mkdir -p "$tree/python/lib"
for library in /usr/lib/*/libmpich.so.12; do
  [ ! -e "$library" ] || ln -sf "$library" "$tree/python/lib/libmpi.so.12"
done
