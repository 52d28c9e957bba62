#!/bin/sh
# Format, lint, types, import direction, contract drift: all of it, also after a failure, so that one run tells everything.
cd "$(dirname "$0")/.."
failed=""
check() {
    title=$1
    shift
    if output=$("$@" 2>&1); then
        echo "  ✓ $title"
    else
        echo "  ✗ $title"
        echo "$output" | sed 's/^/    /'
        failed="$failed\n  ✗ $title"
    fi
}
web() { (cd web && npm run --silent "$1"); }

check "Python is formatted (make format fixes it)" ruff format --check backend scripts e2e testing drill examples
check "Python lint" ruff check backend scripts e2e testing drill examples
python_sources="backend/portolan backend/portolan_dev"
check "Python types" python -m testing.kept mypy .mypy_cache $python_sources pyproject.toml requirements-dev.lock -- mypy $python_sources
check "import direction" lint-imports
check "migrations, empty database, contract and the studio's texts are current" python scripts/check_generated.py
check "TypeScript types of the contract are current (make contract fixes it)" web check:contract
check "web format, lint and import zones" web lint
check "web types" web typecheck
check "types of the example's components" web typecheck:example
check "texts keep to plain English (scripts/check_prose.py)" python scripts/check_prose.py
check "documentation site: no dead link or anchor, no page outside the navigation" python scripts/build_docs.py --check
check "no registry host, no merge marks" sh scripts/check_hosts.sh
if [ -n "$failed" ]; then
    printf "\nFailed:%b\n" "$failed"
    exit 1
fi
