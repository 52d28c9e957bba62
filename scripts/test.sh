#!/bin/sh
# `make test`: checks, then the web's tests, then Python's, then the journeys in a real browser.
set -eu
cd "$(dirname "$0")/.."
started=$(date +%s)
say() { printf '\n== %s (%s s)\n' "$1" "$(($(date +%s) - started))"; }

say "checks"
sh scripts/check.sh
say "web build"
(cd web && npm run --silent build)
say "web tests"
(cd web && npm test --silent)
say "Python tests"
pytest backend/tests --numprocesses 2
say "browser journeys against the running product"
pytest e2e
say "all passed"
