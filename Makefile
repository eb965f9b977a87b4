# Everything a reader needs. `make` alone lists the targets; the first one that needs it creates .venv.
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Those who manage their own environment (environment.yml) name it: make figures VENV=$CONDA_PREFIX
VENV = .venv
WORKERS = 2

# Taken as they were typed, and handed on through the environment: neither make nor a shell reads code in them.
override LAB := $(value LAB)
override NB := $(value NB)
override P := $(value P)
override PYTHON := $(value PYTHON)
override VENV := $(value VENV)
override WORKERS := $(value WORKERS)
export LAB NB P PYTHON VENV WORKERS
BIN = "$$VENV"/bin
GAMEBALANCE = $(BIN)/gamebalance

# What the caller's shell may have set and must not reach us: without bytecode every kernel would compile its
# libraries again, foreign modules and kernels would shadow the locked ones, and without asserts nothing is checked.
unexport PYTHONDONTWRITEBYTECODE PYTHONPATH PYTHONHOME PYTHONOPTIMIZE JUPYTER_PATH
export PYTHONNOUSERSITE = 1
# Texts are UTF-8 in any locale, and so is the path of the checkout, which Python reads before it reads its switches.
unexport LC_ALL
export LC_CTYPE = C.UTF-8
export PYTHONUTF8 = 1
# The checkout that make was called in; a command of another checkout refuses to work on it.
export GAMEBALANCE_ROOT = $(CURDIR)
# Kernels come from this environment, not from the reader's home, and leave nothing there.
export JUPYTER_PREFER_ENV_PATH = 1
export IPYTHONDIR = $(CURDIR)/build/ipython
export MPLCONFIGDIR = $(CURDIR)/build/matplotlib

# Notebooks run side by side: one thread each.
figures verify notebooks test test-all: export NUMBA_NUM_THREADS = 1
# Smoke runs stay out of figures/ and data/, and print no bars, which no comparison would survive.
notebooks test test-all: export GAMEBALANCE_OUTPUT = $(CURDIR)/build/test
notebooks test test-all: export GAMEBALANCE_PROGRESS = 0
# Tests exchange rules, which do not travel to a cluster; they start one of their own.
notebooks test test-all: export GAMEBALANCE_SCHEDULER =

.PHONY: help ready complete env figures verify run heavy report pdf site test test-all bench mutants lab readme notebooks lint lock clean distclean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

# What is needed to read and to compute, and what is needed to develop. The script does nothing, in a few hundredths of
# a second, when .venv has it and the lock is unchanged.
ready complete:
ifeq ($(VENV),.venv)
	@sh tools/environment.sh $(subst ready,reading,$@)
else
	@test -x $(GAMEBALANCE) || { echo "$$VENV holds no gamebalance: see environment.yml" >&2; exit 2; }
	@$(GAMEBALANCE) collection where >/dev/null
endif
	@mkdir -p build

env: complete ## create the environment in .venv (PYTHON=python3.12 chooses the interpreter)
	@echo "$$VENV is ready: $$($(BIN)/python --version)"

figures: ready ## everything: figures/, data/results/ and figures/report.html (WORKERS=2)
	@$(GAMEBALANCE) collection figures --workers "$$WORKERS"

# Checked before anything is installed.
ifneq ($(filter run,$(MAKECMDGOALS)),)
$(if $(NB),,$(error make run needs a notebook: make run NB=five-to-ten-players P='games=200000 seed=9'))
endif
run: ready ## one notebook with other parameters: NB=five-to-ten-players P='games=200000 seed=9'
	@set -f; $(GAMEBALANCE) collection run "$$NB" $$P

verify: ready ## compute everything again in build/ and say, item by item, what came out the same (WORKERS=2)
	@$(GAMEBALANCE) collection verify --workers "$$WORKERS"

heavy: ready ## tables that take hours, row by row; a stopped run goes on where it was (WORKERS=2)
	@$(GAMEBALANCE) collection heavy --workers "$$WORKERS"

report: ready ## figures/report.html from what is in figures/ and data/results/
	@$(GAMEBALANCE) collection report

pdf: complete ## figures/report.pdf, the report on paper; it needs Chromium
	@$(BIN)/python -m gamebalance.publish.pdf

site: ready ## build/site/html: a web site of the collection, to be put on any server (WORKERS=2)
	@$(GAMEBALANCE) collection site --workers "$$WORKERS"

# What runs the notebooks in tests/notebooks again and compares their outputs. nbval is said to be no longer maintained:
# another plugin of pytest that does the same takes its place here, and in pyproject.toml.
COMPARE = --nbval --nbval-current-env --nbval-cell-timeout 300 --nbval-sanitize-with tests/nbval_sanitize.cfg

test: complete ## unit, property and published-value tests, and every notebook at small size through nbval
	@$(BIN)/python -m pytest -n 2 --dist loadfile -m "not thorough" $(COMPARE)

test-all: complete ## what make test leaves out: long comparisons, kills, full disks, pages at every width, wheel, recipes, other processors
	@$(BIN)/python -m pytest -n 2 --dist loadfile -m thorough

# The peers from PyPI are an extra, installed when first needed; without them the rest is still compared.
bench: complete ## speed as ratios to the peers, in one run
	@$(BIN)/python -c "import choix, jouets, savvi, stormpy" 2>/dev/null || sh tools/extra.sh $(BIN) peers || true
	@$(BIN)/python -m bench

mutants: complete ## whether the tests notice every small change of the rules; 25 minutes, a stopped run goes on (WORKERS=2)
	@$(BIN)/python -c "import mutmut" 2>/dev/null || sh tools/extra.sh $(BIN) mutants
	@$(BIN)/python tools/mutants.py --workers "$$WORKERS"

lab: ready ## JupyterLab on notebooks/ (LAB='--no-browser' for its options)
	@set -f; $(BIN)/python -P -m gamebalance.publish.lab $$LAB

readme: ready ## what is made of collection.yaml: README's first page, the notebook to start with, numbers of references
	@$(GAMEBALANCE) collection readme

notebooks: complete ## what nbval compares with: each notebook at small size, in tests/notebooks (NB=… for one)
	@set -f; $(BIN)/python tools/baselines.py $$NB

lint: complete ## ruff: check and format; mypy: types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

lock: complete ## resolve anew after editing pyproject.toml: uv.lock and its exports (then environment.yml by hand)
	@UV_SYSTEM_CERTS=$${UV_SYSTEM_CERTS:-1} $(BIN)/uv lock
	@$(BIN)/uv export --quiet --frozen --extra lab --no-emit-project --no-annotate \
	    --output-file requirements.lock
	@$(BIN)/uv export --quiet --frozen --extra lab --no-group dev --no-emit-project --no-annotate \
	    --output-file binder/requirements.lock
	@for extra in peers mutants pettingzoo; do \
	    $(BIN)/uv export --quiet --frozen --extra $$extra --no-default-groups --no-emit-project --no-annotate | \
	    awk 'FNR == NR {known[$$1]; next} /^[a-z]/ {keep = !($$1 in known)} keep' requirements.lock - \
	    >tools/locks/$$extra.lock; \
	done

clean: ## remove build/
	rm -rf build

distclean: clean ## remove build/ and .venv
	rm -rf .venv .venv.before
