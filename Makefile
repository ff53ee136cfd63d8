# The front door. It only drives: what is built and how is in CMakeLists.txt and CMakePresets.json.
.DEFAULT_GOAL := help
.PHONY: help demo test test-all slowest bench judge format check tidy analyse install clean packages dev mpich release
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
CPP_FILES = $(shell git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' '*.h' '*.c' 2>/dev/null)

help:  ## show this list
	@echo "Cairn: communication-optimal distributed matrix multiplication"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

demo: packages build/dev/build.ninja  ## install what is missing, build, and run three acts with real matrices on 4 ranks
	@echo "== Building the command and an example (build/dev)"
	@cmake --build build/dev -j $(JOBS) --target cairn_app --target example_04_standard_form
	@tools/demo.sh

test: packages mpich  ## install what is missing, build, run all tests under Open MPI and MPICH
	@echo "== Running all tests$(if $(CAIRN_TEST_ALL),,; make test-all adds more grids, plans and layouts of every algorithm, more random problems, and all of it under the second MPI)"
	@printf 'subdirs(%s)\n' "dev $$(command -v mpicxx.mpich >/dev/null && echo mpich)" > build/CTestTestfile.cmake
	@ctest --test-dir build -j $(JOBS) --output-on-failure --no-tests=error --output-junit junit.xml

test-all: export CAIRN_TEST_ALL = 1
test-all: test  ## as test, with the whole of every sweep over MPI (minutes more)

slowest:  ## which tests took longest in the last `make test`
	@tools/slowest_tests.py build/junit.xml

bench: packages release  ## build optimised, run the benchmarks, write build/bench/*.csv
	@tools/bench.sh

judge: packages release  ## compare the clock with the executor on 16 to 128 ranks simulated by SimGrid (minutes)
	@tools/install_packages.sh judge
	@$(MAKE) --no-print-directory build/simgrid/build.ninja
	@echo "== Building with SimGrid's MPI (build/simgrid)"
	@cmake --build build/simgrid -j $(JOBS) --target judge
	@bench/simgrid/judge.py
	@bench/simgrid/peers.py

format:  ## format all C++ files with clang-format
	@tools/install_packages.sh check
	@clang-format -i $(CPP_FILES)

check:  ## house rules: layers, effects, sizes, papers, format
	@tools/check_layers.py
	@tools/check_effects.py
	@tools/check_size.py
	@tools/check_papers.py
	@tools/check_format.sh $(CPP_FILES)

tidy: build/odr/build.ninja  ## clang-tidy, and a link that finds types defined twice (minutes)
	@tools/install_packages.sh tidy
	@$(GROUP)
	@$(TIDY) -checks='-clang-analyzer-*' $(SOURCES)
	@echo "== Linking with all types known (build/odr)"
	@cmake --build build/odr -j $(JOBS)

analyse:  ## clang's static analyzer over all paths of all functions (hours)
	@tools/install_packages.sh tidy
	@$(GROUP)
	@$(TIDY) -checks='-*,clang-analyzer-*' -extra-arg=-Xclang -extra-arg=-analyzer-opt-analyze-headers $(SOURCES)

install: packages release  ## build optimised, install to PREFIX (default /usr/local)
	@cmake --install build/release --prefix "$(PREFIX)"

clean:  ## remove everything that was built
	rm -rf build

# --- What the targets above are made of
# Of sources that are compiled together the analyzer takes those that are included for headers.
TIDY = run-clang-tidy-16 -p build/tidy -j $(JOBS) -quiet
GROUP = cmake --preset tidy -Wno-dev --log-level=WARNING >/dev/null  # groups change with their sources
SOURCES = '$(CURDIR)/(src|apps|build/tidy/(apps/)?together)/'

packages:
	@tools/install_packages.sh build

build/%/build.ninja: CMakePresets.json
	@echo "== Configuring $(@D)"
	@cmake --preset $* -Wno-dev --log-level=WARNING

dev: build/dev/build.ninja
	@echo "== Building with the default MPI (build/dev)"
	@cmake --build build/dev -j $(JOBS)

release: build/release/build.ninja
	@echo "== Building optimised (build/release)"
	@cmake --build build/release -j $(JOBS)

mpich: dev
	@if command -v mpicxx.mpich >/dev/null; \
	  then $(MAKE) --no-print-directory build/mpich/build.ninja && \
	    echo "== Building with MPICH (build/mpich)" && cmake --build build/mpich -j $(JOBS); \
	  else echo "== No mpicxx.mpich here: the tests run under one MPI only"; fi
