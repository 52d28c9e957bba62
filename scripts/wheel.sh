#!/bin/sh
# Builds dist/portolan-VERSION-PLATFORM.whl with the web build in it, and beside it the tested versions of what it needs:
# pip install -c dist/constraints.txt dist/portolan-*.whl
set -eu
cd "$(dirname "$0")/.."
(cd web && npm run --silent build)
rm -f dist/portolan-*.whl
mkdir -p dist
python -m hatchling build --target wheel --directory dist
# Without hashes, which a constraint may not have, and without what only builds.
grep -E '^[a-z0-9]' requirements-extras.lock | sed 's/ *\\$//' | grep -vE '^(hatchling|editables)==' >dist/constraints.txt
ls -l dist
test ! -e .git || python scripts/long_tests.py check || echo "A wheel of an unproven tree: do not give it out." >&2
