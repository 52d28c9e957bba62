#!/usr/bin/env bash
# `make test`: checks, then the web's tests, then Python's, then the journeys in a real browser. Ends with one line of counts.
set -euo pipefail
cd "$(dirname "$0")/.."
started=$SECONDS
log=$(mktemp)
trap 'rm -f "$log"' EXIT
say() { printf '\n== %s (after %s s)\n' "$1" "$((SECONDS - started))"; }

say "checks"
sh scripts/check.sh
say "web build"
(cd web && npm run --silent build)
say "web tests"
(cd web && NO_COLOR=1 npm test --silent) | tee -a "$log"
say "Python tests"
pytest backend/tests --numprocesses 2 | tee -a "$log"
say "browser journeys against the running product"
pytest e2e | tee -a "$log"

# Vitest counts files and tests, pytest tests alone.
passed=$(awk '/^ *Tests +[0-9]+ passed/ { sum += $2 } /^[0-9]+ passed/ { sum += $1 } END { print sum }' "$log")
say "done"
echo "$passed passed, 0 failed"
