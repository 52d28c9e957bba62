#!/bin/sh
# The drill on machines of its own: namespaces that nothing outside can reach, disks that are gone afterwards. Linux, as root.
set -eu
cd "$(dirname "$0")/.."
if [ "$(uname)" != Linux ] || [ "$(id -u)" != 0 ]; then
    echo "The drill makes machines out of Linux's namespaces, so it needs Linux and root: sudo make drill" >&2
    exit 69
fi
mkdir -p var/drill/disks var/drill/logs
# The machine that things are installed on has this one's network, for packages; all others have one without a way out.
exec unshare --mount --pid --fork --kill-child --mount-proc sh -euc '
    mount -t tmpfs -o size=70% drill var/drill/disks
    rm -rf var/drill/logs/*
    python -m drill.base
    unshare --net python -m pytest -p no:cacheprovider -c drill/pytest.ini drill "$@"
' drill "$@"
