#!/bin/sh
# Compiles requirements*.in to locks with hashes, for every platform at once. No registry's address is written.
set -eu
cd "$(dirname "$0")/.."
for name in requirements requirements-dev requirements-uv; do
    uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
        --custom-compile-command "make lock" "$@" "$name.in" --output-file "$name.lock"
done
