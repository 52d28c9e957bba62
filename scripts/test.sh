#!/usr/bin/env bash
# `make test`: checks, the web's tests, Python's (those that use the database on SQLite and on PostgreSQL), then journeys
# in a real browser. Ends with one line of counts.
set -euo pipefail
cd "$(dirname "$0")/.."
unset DATABASE_URL # SQLite, unless a step says otherwise
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
pytest backend/tests --numprocesses 2 --dist loadgroup | tee -a "$log"
left_out=""
if python scripts/with_postgres.py --find >/dev/null 2>&1; then
    say "Python tests that use the database, on PostgreSQL"
    python scripts/with_postgres.py pytest backend/tests --database-alone --numprocesses 2 --dist loadgroup | tee -a "$log"
else
    number=$(pytest backend/tests --database-alone --collect-only | awk -F/ '/ tests collected/ { print $1 }')
    left_out="PostgreSQL: no server binaries found, so the $number tests that use the database ran on SQLite alone."
    say "$left_out"
fi
say "browser journeys against the running product"
pytest e2e --numprocesses 2 --dist loadgroup | tee -a "$log"

# Vitest counts files and tests, pytest tests alone.
passed=$(awk '/^ *Tests +[0-9]+ passed/ { sum += $2 } /^[0-9]+ passed/ { sum += $1 } END { print sum }' "$log")
say "done"
if [ -n "$left_out" ]; then echo "$left_out"; fi
echo "$passed passed, 0 failed"
