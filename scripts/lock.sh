#!/bin/sh
# Compiles requirements*.in to locks with hashes, for every platform at once. No registry's address is written.
set -eu
cd "$(dirname "$0")/.."
compile() {
    lock=$1
    shift
    uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
        --custom-compile-command "make lock" "$@" --output-file "$lock"
}
# email-validator names dnspython as its own, and asks for it only where it is to look into the DNS itself: we never do.
excludes=$(mktemp)
trap 'rm -f "$excludes"' EXIT
echo dnspython >"$excludes"
compile requirements.lock requirements.in pyproject.toml --excludes "$excludes" "$@"
compile requirements-extras.lock requirements.in pyproject.toml --all-extras "$@"
compile requirements-dev.lock requirements-dev.in pyproject.toml --all-extras "$@"
compile requirements-uv.lock requirements-uv.in "$@"
compile requirements-drill.lock drill/requirements.in --no-deps "$@"
