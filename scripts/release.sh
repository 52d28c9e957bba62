#!/bin/sh
# Builds a version that can be given out: `make release`. Refuses a tree that is not committed, not described or not proven.
set -eu
cd "$(dirname "$0")/.."
version=$(python -c 'import portolan; print(portolan.__version__)')
refuse() {
    echo "$1" >&2
    exit 1
}
test -z "$(git status --porcelain)" || refuse "There are changes that are not committed: commit them first."
grep -q "^## $version" CHANGELOG.md || refuse "CHANGELOG.md has no heading for $version: date the entries under Unreleased."
! sed -n '/^## Unreleased/,/^## [0-9]/p' CHANGELOG.md | grep -q '^- ' || refuse "CHANGELOG.md has entries under Unreleased: move them under $version."
python scripts/long_tests.py check || refuse "Run the unproven tests (make test-long ARGS=--unproven), commit testing/proven.json, and try again."
ALL=1 python scripts/run_tests.py all
sh scripts/wheel.sh
git tag --annotate "v$version" --message "Version $version"
echo "dist/ has the wheel. The tag is v$version: git push origin v$version"
