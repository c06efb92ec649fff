# `make run` and `make test` work on a fresh machine: the first call sets up .venv
# and what the system lacks, later calls install nothing.

export PATH := $(or $(PATH),/usr/local/bin:/usr/bin:/bin)
export PIP_DISABLE_PIP_VERSION_CHECK = 1

# Makes .venv: the first of these that suits, python3 itself if none does.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null && echo $$p && exit; \
	done; echo python3)
# Python compiles to bytecode when it imports, and most of what is installed is never imported.
PIP = .venv/bin/python -m pip install --quiet --no-compile --constraint constraints.txt

# .venv/ready holds the path .venv was made at, and is written last. So a half-made .venv,
# one that has moved with its checkout, or one whose Python has gone is made anew.
REMAKE := $(shell test "`cat .venv/ready 2>&1`" = "`pwd -P`" && .venv/bin/python -c 'import pip' 2>/dev/null || echo remake)

# The Khronos glTF validator, which a test asks about exported files; without it that test is skipped.
VALIDATOR = gltf-validator@2.0.0-dev.3.10
# 3DTilesRendererJS and CesiumJS, in which a slow test opens tilesets.
TILES_VIEWER = 3d-tiles-renderer@0.5.3 three@0.187.0 cesium@1.145.0
# three.js, which the script of web pages is bundled with, and what bundles it.
PAGE = three@0.187.0 esbuild@0.28.2
NPM = npm install --no-save --no-package-lock --no-audit --no-fund --ignore-scripts --silent \
	--fetch-retries=1 --fetch-timeout=20000

# mypy finds the packages where a wheel has them: inside octoscope.
LINKS = mkdir -p .mypy_links/octoscope && for each in octree scene viewer octoscope/*.py*; do \
	ln -sfn "$(CURDIR)/$$each" .mypy_links/octoscope/; done

.PHONY: help run test test-processors test-drivers bench lint check docs docs-pictures docs-tables clean validator tiles-viewer page remake packages-run packages-test \
	packages-test-drivers packages-lint packages-docs
.NOTPARALLEL:

help:
	@echo 'make run [ARGS="scene.obj ..."]   start Octoscope; ARGS="--help" lists its options'
	@echo 'make test [ARGS="-k octree ..."]  run the tests; ARGS go to pytest'
	@echo 'make test-processors               run those of culling and picking as other processors round'
	@echo 'make test-drivers                  draw pictures and windows through every OpenGL that Mesa has; minutes'
	@echo 'make bench [ARGS="octree ..."]    measure, beside other libraries that are installed; ARGS=--help lists the suites'
	@echo 'make lint                         check the code without running it'
	@echo 'make check                        all of these, as the build server does'
	@echo 'make docs                         build the guide: build/docs/index.html'
	@echo 'make docs-pictures [ARGS=tour]    draw the pictures of the guide again, all or some'
	@echo 'make docs-tables                  write its tables of commands, keys and options again'
	@echo 'make validator                    fetch the glTF validator that a test uses; needs npm'
	@echo 'make tiles-viewer                 fetch 3DTilesRendererJS and CesiumJS, which a slow test uses; needs npm'
	@echo 'make page                         bundle the script of web pages again, with three.js; needs npm'
	@echo 'make clean                        remove .venv, caches and build output'
	@echo 'Another Python for .venv: make clean, then make run PYTHON=/path/to/python3'

run: packages-run .venv/compiled-first
	@.venv/bin/octoscope $(ARGS)

# Three processes on two processors: one has all tests of windows, which wait most of the time.
test: packages-test .venv/ready-for-tests .venv/compiled
	@.venv/bin/python -m pytest -ra -n 3 $(ARGS)

test-processors: packages-test .venv/ready-for-tests
	@.venv/bin/python -m tests.processors

test-drivers: packages-test-drivers .venv/ready-for-tests .venv/compiled
	@.venv/bin/python -m pytest -ra -n 2 -m drivers $(ARGS) tests/viewer/drivers

lint: packages-lint .venv/ready-for-tests
	@.venv/bin/ruff check
	@$(LINKS)
	@.venv/bin/mypy --no-error-summary
	@.venv/bin/ruff format --check --quiet || { echo "octoscope: .venv/bin/ruff format" >&2; exit 1; }

docs: packages-docs .venv/ready-for-docs
	@.venv/bin/python -m sphinx -q -W --keep-going -d build/doctrees -c docs/scripts . build/docs
	@echo 'octoscope: build/docs/index.html' >&2

docs-pictures: packages-test .venv/ready-for-tests .venv/compiled
	@.venv/bin/python -m docs.scripts.pictures $(ARGS)

bench: packages-test .venv/ready-for-tests .venv/compiled
	@.venv/bin/python -m tests.benchmarks $(ARGS)

docs-tables: packages-test .venv/ready-for-tests
	@.venv/bin/python -m docs.scripts.tables

check: lint validator docs test test-processors

packages-run packages-test packages-test-drivers packages-lint packages-docs:
	@.ci/system-packages $(@:packages-%=%) "$(if $(REMAKE),$(PYTHON),.venv/bin/python)"

# Installing takes one processor: on a fresh machine the others compile meanwhile.
.venv/ready: pyproject.toml setup.py constraints.txt $(REMAKE)
	@$(if $(REMAKE),echo 'octoscope: setting up .venv (1 of 2: Python)' >&2)
	@$(if $(REMAKE),"$(PYTHON)" -m venv --clear .venv)
	@rm -f $@
	@echo 'octoscope: setting up .venv (2 of 2: packages, half a minute)' >&2
	@$(PIP) setuptools numba
	@$(if $(REMAKE),.venv/bin/python -m octoscope.octree.jit.builder & trap "kill $$! 2>/dev/null" EXIT INT TERM;) \
		$(PIP) --no-build-isolation --editable '.[kernels]' && { wait || true; }
	@pwd -P > $@

.venv/ready-for-tests: .venv/ready
	@echo 'octoscope: installing what the tests need' >&2
	@$(PIP) --no-build-isolation --editable '.[kernels,test]'
	@touch $@

.venv/ready-for-docs: .venv/ready
	@echo 'octoscope: installing what builds the guide' >&2
	@$(PIP) --no-build-isolation --editable '.[docs]'
	@touch $@

# Says and does nothing if no kernel has changed: the library holds a digest of the sources of each. Never fails: without
# a C compiler numba compiles what is called.
.venv/compiled: .venv/ready $(shell PATH='$(PATH)' find octoscope octree scene viewer -type f '(' -name '*.py' -o -name '*.c' ')' -not -path '*/__pycache__/*')
	@.venv/bin/octoscope compile >/dev/null || true
	@touch $@

# The window compiles the rest beside itself.
.venv/compiled-first: .venv/ready
	@.venv/bin/octoscope compile --first >/dev/null || true
	@touch $@

# Never fails: a build server without npm or a network runs all other tests.
validator:
	@test "`cat .node/ready 2>&1`" = '$(VALIDATOR)' || { rm -rf .node && mkdir .node && \
		$(NPM) --prefix .node $(VALIDATOR) >/dev/null 2>&1 && rm -f .node/node_modules/.package-lock.json && \
		echo '$(VALIDATOR)' > .node/ready; } || \
		echo 'octoscope: $(VALIDATOR) cannot be fetched (is npm there, and a network?): its test will be skipped' >&2

tiles-viewer:
	@mkdir -p .node/tiles-viewer
	@$(NPM) --prefix .node/tiles-viewer --legacy-peer-deps $(TILES_VIEWER)
	@rm -f .node/tiles-viewer/node_modules/.package-lock.json
	@echo 'octoscope: make test ARGS="-m slow tests/viewer/features/web/test_tiles_in_browser.py"' >&2

page:
	@mkdir -p .node/page
	@$(NPM) --prefix .node/page $(PAGE)
	@rm -f .node/page/node_modules/.package-lock.json
	@node scene/formats/page/source/build.mjs .node/page/node_modules scene/formats/page

clean:
	rm -rf .venv .node .mypy_links build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache tests/images/failed
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
