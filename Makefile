# Every target prepares what it needs in .venv; a fresh machine has only Python >= 3.10 with venv, and make.
PYTHON ?= python3
VENV   ?= .venv
INTEROP ?= $(VENV)-interop
CUTE    ?= $(VENV)-cute
RAY     ?= $(VENV)-ray
DOORS   ?= $(VENV)-doors
TILELANG ?= $(VENV)-tilelang
PROBE_FLAGS ?=
# What `make test-fast` counts a change from, and how many seconds it begins tests; 0 is all.
BASE ?= origin/main
LIMIT ?= 40

BIN := $(VENV)/bin
# PYTHONPATH would put other people's packages before the locked ones. Without bytecode, each of the
# hundreds of processes that tests start would compile lanemap anew.
unexport PYTHONPATH PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK := 1
INSTALL := $(BIN)/python tools/install.py --constraint requirements/ci.txt
LOCK := requirements/ci.txt requirements/torch.txt pyproject.toml hatch_build.py
# An install compiles these (hatch_build.py); where the tests are installed, `runtime` does.
C := $(wildcard lanemap/emulator/*/*.[ch] lanemap/emulator/*/c/*.[ch] lanemap/timing/model/*.[ch])

.DEFAULT_GOAL := help
.PHONY: help lint test test-fast test-slow interop cute ray doors tilelang bench-all probe-all report notebooks silicon figures history runtime lock clean
.DELETE_ON_ERROR:

help: ## this list
	@awk -F ':.*## ' '/^[a-z%<>-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

probe-%: $(VENV)/.plain ## run one probe on the emulator, as in make probe-tr8
	@$(BIN)/lanemap probe $* $(PROBE_FLAGS)

probe-all: $(VENV)/.plain ## run every probe
	@$(BIN)/lanemap probe --all $(PROBE_FLAGS)

bench-%: $(VENV)/.bench ## check and count, or on a GPU time, one kernel, as in make bench-ss_gemm
	@$(BIN)/lanemap bench $*

bench-all: probe-all report $(VENV)/.bench ## everything that there is: probes, report, kernels
	@$(BIN)/lanemap bench --all
	@echo "Probes, pages and kernels are done; begin with site/index.html."

capsule-%: $(VENV)/.capsule ## one file for a GPU that is not here, as in make capsule-sm_100a
	@$(BIN)/lanemap capsule --target $*

report: $(VENV)/.analysis ## figures, tables and pages from results/
	@$(BIN)/lanemap report

notebooks: $(VENV)/.analysis ## build and execute the notebooks
	@$(BIN)/lanemap report --notebooks

lint: runtime ## ruff, mypy --strict and clang-format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/clang-format --dry-run --Werror $(C)
	$(BIN)/mypy lanemap kernels

# Tests run side by side, so torch and BLAS need no threads of their own: they would wait for each other.
test test-fast test-slow: export OMP_NUM_THREADS := 1

test: lint ## lint and pytest
	$(BIN)/python -m pytest -n auto --dist loadfile -m 'not slow'

test-fast: runtime ## the tests that a change can reach, as in make test-fast BASE=origin/main
	$(BIN)/python -m tools.fast --base $(BASE) --seconds $(LIMIT)

test-slow: runtime ## the tests that `make test` leaves out because they take minutes
	$(BIN)/python -m pytest -n auto -m slow

interop: $(INTEROP)/.ready ## compile Triton's and CuTe DSL's kernels again, compare and run them
	$(INTEROP)/bin/python -m tools.interop

cute: $(CUTE)/.ready ## check scripts of CuTe DSL, right ones and faulty ones
	$(CUTE)/bin/python -m pytest -n auto tests/check/test_cute.py

ray: $(RAY)/.ready ## sweeps over a Ray cluster of this machine, a node that ends in the middle included
	$(RAY)/bin/python -m pytest tests/sweeping/test_cluster.py

doors: $(DOORS)/.ready ## check scripts of cuda.core, cuda-bindings, numba-cuda, Warp and CuPy, right ones and faulty ones
	$(DOORS)/bin/python -m pytest -n auto tests/doors

tilelang: $(TILELANG)/.ready ## check scripts of TileLang, right ones and faulty ones
	$(TILELANG)/bin/python -m pytest tests/doors/test_tilelang.py

# Its Python is not ours, and may find its packages by PYTHONPATH.
silicon: export PYTHONPATH := $(PYTHONPATH)
silicon: ## observe an sm_90 GPU with the CuPy and cuda-bindings of $(PYTHON), without network
	$(PYTHON) -m lanemap.conformance.silicon $(SILICON_FLAGS)

figures: runtime ## write the figures of README and docs anew
	$(BIN)/python -m tools.figures

history: runtime ## measure the emulator's speed and append it to benchmarks/history.jsonl
	$(BIN)/python benchmarks/history.py

runtime: $(VENV)/.test ## compile the emulator's C, if it has changed
	$(BIN)/python -m lanemap.emulator.runtime.build

lock: $(VENV)/.plain ## resolve requirements/ci.txt anew
	$(INSTALL) uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.10 --upgrade --no-header \
	  --no-annotate --extra test --extra nvidia --extra amd pyproject.toml -o requirements/ci.txt \
	  --constraint requirements/torch.txt --no-emit-package torch --no-emit-package triton
	@echo "-c torch.txt" >> requirements/ci.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade --no-header \
	  --no-annotate --extra interop pyproject.toml -o requirements/interop.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.10 --upgrade --no-header \
	  --no-annotate --extra ray pyproject.toml -o requirements/ray.txt

clean: ## remove the environment
	rm -rf $(VENV) $(INTEROP) $(CUTE) $(RAY) $(DOORS) $(TILELANG)

# Ray takes 16 seconds and 290 MB to install, and seconds to start.
$(RAY)/.ready: requirements/ray.txt pyproject.toml
	$(PYTHON) -m venv $(RAY)
	$(RAY)/bin/python -m pip install --quiet --constraint requirements/ray.txt \
	  --editable ".[ray]" jinja2 pytest
	@touch $@

# Most of it is Warp, LLVM, NVVM and NVRTC (benchmarks/environments.py has its size).
$(DOORS)/.ready: requirements/doors.txt pyproject.toml
	$(PYTHON) -m venv $(DOORS)
	$(DOORS)/bin/python -m pip install --quiet --editable ".[cupy]" --requirement requirements/doors.txt
	@touch $@

# Most of it is PyTorch.
$(TILELANG)/.ready: requirements/tilelang.txt requirements/torch.txt pyproject.toml
	$(PYTHON) -m venv $(TILELANG)
	$(TILELANG)/bin/python -m pip install --quiet --constraint requirements/torch.txt \
	  --editable ".[cupy]" --requirement requirements/tilelang.txt
	@touch $@

# Stamps: a warm run spends no time on pip. Each extra is installed at most once per change of the lock.
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.plain: $(LOCK) $(C) | $(VENV)/bin/python
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.analysis: $(LOCK) | $(VENV)/.plain
	$(INSTALL) --editable ".[analysis]"
	@touch $@

$(VENV)/.bench: $(LOCK) | $(VENV)/.plain
	$(INSTALL) --editable ".[bench]"
	@touch $@

$(VENV)/.capsule: $(LOCK) | $(VENV)/.plain
	$(INSTALL) --editable ".[capsule]"
	@touch $@

$(VENV)/.test: $(LOCK) | $(VENV)/bin/python
	$(INSTALL) --editable ".[test]"
	@touch $(VENV)/.plain $(VENV)/.analysis $(VENV)/.bench $(VENV)/.capsule $@

# An environment of its own: PyTorch, which the tests want, wants another Triton.
$(INTEROP)/.ready: requirements/interop.txt pyproject.toml
	$(PYTHON) -m venv $(INTEROP)
	$(INTEROP)/bin/python -m pip install --quiet --constraint requirements/interop.txt \
	  --editable ".[interop]"
	@touch $@

$(CUTE)/.ready: requirements/interop.txt requirements/torch.txt pyproject.toml
	$(PYTHON) -m venv $(CUTE)
	$(CUTE)/bin/python -m pip install --quiet --constraint requirements/interop.txt \
	  --constraint requirements/torch.txt --editable ".[cute]" apache-tvm-ffi pytest pytest-xdist
	@touch $@
