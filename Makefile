# Every command of the project. `make demo` and `make test` need Python 3.11+ and nothing else.
PYTHON ?= python3
RUN = $(PYTHON) scripts/bootstrap.py run
DEV = $(PYTHON) scripts/bootstrap.py dev
TEST = $(PYTHON) scripts/bootstrap.py test-tools

.PHONY: help demo wheel image release test test-quick test-long test-slow test-postgres journeys-postgres journeys-preact journeys-browsers record-seconds evidence mutate mutate-python mutate-web check contract texts handbook-pictures block-pictures empty-database format extras lock gallery bench-build bench-ray bench-store bench-peers bench-api bench-pages bench-inp bench-editor bench-screens bench-edges drill drill-restore axe fuzz-api fuzz-forms soak drill-upgrade docs

help:
	@echo "make demo         install, build, seed, publish and serve all eight sites"
	@echo "make wheel        dist/portolan-….whl: what one installs elsewhere, with the web build in it"
	@echo "make image        the same as an OCI image, localhost/portolan (needs buildah, podman or docker)"
	@echo "make release      build and tag a version; refuses a tree whose long tests are not proven"
	@echo "make test         every check, and the short form of every test, of both languages (ALL=1: also the steps that were green with the same files)"
	@echo "make test-long    the tests that take long (testing/long.toml); ARGS=--unproven: those whose files differ since they passed; ARGS='upgrade ray': these"
	@echo "make test-slow    the same with 15 % of two cores: no test depends on a machine's speed (ARGS='--percent 30 pytest -n0 FILE')"
	@echo "make test-quick   checks, unit tests, and the journeys of what differs from main; under two minutes"
	@echo "make record-seconds  the same as make test, and keeps how long each file took: the next run begins with the longest"
	@echo "make test-postgres  every Python test that uses the database, on PostgreSQL (make test: those marked for it)"
	@echo "make journeys-postgres  every journey that has the demo served, the studio's too, on PostgreSQL (make test-long: three of the studio's)"
	@echo "make journeys-preact  the journeys of forms, filters and islands with Preact (make test: a few of them)"
	@echo "make journeys-browsers  navigation, forms and header in Firefox, WebKit and Chromium (ARGS='-k header'; PORTOLAN_BROWSERS=firefox: one)"
	@echo "make mutate       faults put into the code of both languages, and which of them the tests find (about an hour)"
	@echo "make mutate-python  the same of Python alone"
	@echo "make check        format, lint, types, import direction, contract drift"
	@echo "make format       put Python and TypeScript into shape"
	@echo "make contract     regenerate contract/ and the TypeScript types from the Python schemas"
	@echo "make texts        gather the studio's texts into its catalogues, and compile those"
	@echo "make handbook-pictures  take the pictures of the editors' handbook of a running demo (ARGS='VAR_DIR PORT')"
	@echo "make empty-database  write what new installations on SQLite begin with, after migrations have changed"
	@echo "make block-pictures  draw the pictures that editors choose blocks by, after blocks have changed"
	@echo "make docs         build the documentation site in var/docs (ARGS=--serve: and serve it on this machine)"
	@echo "make gallery      every block with its examples and what axe says of each, at http://127.0.0.1:8200/blocks.html and /blocks-rtl.html"
	@echo "make bench-build  1,000 pages: pages a second, CPU, peak memory, one edit (ARGS='--content peers --pages 10000 --sites 8 --cores 2')"
	@echo "make bench-ray    5,000 pages on a Ray cluster of two nodes on this machine, beside the local pool (ARGS='--pages 20000 --runs 3')"
	@echo "make bench-store  10,000 pages through a store: publish, how soon an edge has an edit, export (ARGS='--store s3://bucket/prefix' for a real one)"
	@echo "make bench-peers  the same pages built by Eleventy, Astro and us in turns (npm installs the two; ARGS='--rounds 9 --cores 2')"
	@echo "make bench-api    published API reads: requests a second beside a constant reply (needs wrk, and a demo)"
	@echo "make bench-pages  Lighthouse on ten published pages, as production serves them (needs a demo)"
	@echo "make bench-inp    how soon pages answer to menus, lists and forms on a slow phone (needs a demo)"
	@echo "make bench-screens 10,000 pages in the studio: every screen in seconds and queries (ARGS=--forms: long forms in a browser)"
	@echo "make bench-editor  twenty tasks of an editor in the studio of the running demo, in clicks and seconds (needs make demo in another terminal)"
	@echo "make bench-edges  two edges behind the shipped nginx.conf beside one, each with a share of a core (as root; needs wrk, nginx, and a demo)"
	@echo "make drill        the shipped deployments by the steps of docs/deploy, on machines of namespaces, and everything that breaks (as root on Linux; ten to twenty minutes)"
	@echo "make drill-restore  the demo takes leads and edits, is backed up and killed, and is restored elsewhere: nothing lost, files equal; the same with blocked content, on SQLite and PostgreSQL"
	@echo "make axe          axe on every page of every site and every screen of the studio, on two screens (make test: on every kind of page)"
	@echo "make fuzz-api     the running API against its document, 300 examples an operation"
	@echo "make fuzz-forms   a hundred thousand bodies sent as forms: never a 5xx, nothing slow, nothing left behind"
	@echo "make soak         every fault of docs/evidence/faults.toml in its long form, and what came of it in faults.md (ARGS='R1 R7': some; ARGS=--short: as make test has them)"
	@echo "make evidence     docs/evidence/: bill of materials, third parties' licences, ASVS and faults in sum (ADVISORIES='pypa/advisory-database=FOLDER': locks against a clone of it, too)"
	@echo "make drill-upgrade  the version before upgraded to this one under load, and back, each installed by pip (make test: with the packages that are here)"
	@echo "make extras       install all extras of pyproject.toml, in the tested versions"
	@echo "make mutate-web   faults put into web/src/domain and web/src/runtime one by one: which of them their tests find (a sample; PERCENT=100: all)"
	@echo "make lock         compile requirements*.in and the extras to hash-locked requirements*.lock"

demo:
	@$(RUN) portolan demo

wheel:
	@$(RUN) sh scripts/wheel.sh

release:
	@$(TEST) sh scripts/release.sh

image: wheel
	@sh scripts/image.sh $(ARGS)

test:
	@$(TEST) python scripts/run_tests.py all

test-long:
	@$(TEST) python scripts/long_tests.py run $(ARGS)

test-slow:
	@$(TEST) python scripts/run_slowly.py $(ARGS)

test-quick:
	@$(TEST) python scripts/run_tests.py quick

record-seconds:
	@$(TEST) python scripts/run_tests.py record

test-postgres:
	@$(DEV) python scripts/with_postgres.py pytest backend/tests --database-alone --numprocesses 2 --dist loadgroup $(ARGS)

journeys-postgres:
	@$(TEST) python scripts/with_postgres.py pytest e2e --on-postgres --numprocesses 2 --dist loadgroup $(ARGS)

journeys-preact:
	@$(TEST) env PORTOLAN_TEST_ISLANDS=preact pytest -o faulthandler_timeout=0 e2e/test_forms.py e2e/test_lists.py e2e/test_translation.py $(ARGS)

journeys-browsers:
	@$(TEST) pytest -o faulthandler_timeout=0 e2e/browsers/journeys.py $(ARGS)

mutate: mutate-python mutate-web

mutate-python:
	@$(DEV) python scripts/mutate.py $(ARGS)

check:
	@$(DEV) sh scripts/check.sh

format:
	@$(DEV) sh -c 'ruff format -q backend scripts e2e testing drill examples && ruff check -q --fix backend scripts e2e testing drill examples; cd web && npm run --silent format'

contract:
	@$(DEV) sh -c 'portolan contract && cd web && npm run --silent contract'

handbook-pictures:
	@$(TEST) python scripts/take_handbook_pictures.py $(ARGS)

texts:
	@$(DEV) portolan texts

empty-database:
	@$(DEV) portolan empty-database

block-pictures:
	@$(DEV) sh -c 'cd web && npm run --silent build && cd .. && portolan block-pictures $(ARGS)'

docs:
	@$(DEV) python scripts/build_docs.py $(ARGS)

gallery:
	@$(DEV) sh -c 'cd web && npm run --silent build && npm run --silent gallery -- --serve --port 8200 $(ARGS)'

bench-build:
	@$(DEV) portolan bench-build $(ARGS)

bench-ray:
	@$(DEV) portolan bench-build --ray 2 $(ARGS)

bench-store:
	@$(DEV) portolan bench-store $(ARGS)

bench-peers:
	@$(DEV) python -m portolan_dev.bench.peers $(ARGS)

bench-api:
	@$(DEV) portolan bench-api $(ARGS)

bench-pages:
	@$(TEST) portolan bench-pages $(ARGS)

bench-inp:
	@$(TEST) portolan bench-inp $(ARGS)

bench-editor:
	@$(TEST) portolan bench-editor $(ARGS)

bench-screens:
	@$(TEST) portolan bench-screens $(ARGS)

bench-edges:
	@$(DEV) portolan bench-edges $(ARGS)

drill: wheel
	@$(TEST) sh drill/run.sh $(ARGS)

drill-restore:
	@$(DEV) pytest -o faulthandler_timeout=0 e2e/drill_restore.py e2e/drill_blocked.py -s $(ARGS)
	@$(DEV) python scripts/with_postgres.py pytest -o faulthandler_timeout=0 e2e/drill_blocked.py --on-postgres -s $(ARGS)

axe:
	@$(TEST) env PORTOLAN_AXE=every-page pytest -o faulthandler_timeout=0 e2e/test_accessibility.py e2e/test_studio_screens.py --numprocesses 2 --dist load $(ARGS)

fuzz-api:
	@$(TEST) env PORTOLAN_FUZZ_EXAMPLES=300 pytest -o faulthandler_timeout=0 e2e/test_api_fuzz.py $(ARGS)

fuzz-forms:
	@$(DEV) env PORTOLAN_FUZZ_FORMS=100000 pytest -o faulthandler_timeout=0 --numprocesses 2 backend/tests/api/integration/test_fuzz_forms.py $(ARGS)

soak:
	@$(TEST) portolan soak $(ARGS)

evidence:
	@$(DEV) sh -c 'cd web && npm run --silent build'
	@$(DEV) portolan evidence $(foreach snapshot,$(ADVISORIES),--advisories $(snapshot))

drill-upgrade:
	@$(TEST) env PORTOLAN_UPGRADE=whole pytest e2e/test_upgrade.py $(ARGS)

extras:
	@$(PYTHON) scripts/bootstrap.py extras

mutate-web:
	@$(DEV) sh -c 'cd web && npm run --silent mutate -- --percent $(or $(PERCENT),25) $(ARGS)'

lock:
	@$(DEV) sh scripts/lock.sh $(ARGS)
