#!/bin/sh
# Run the drill on machines of its own: `run.sh [--short] [PYTEST OPTIONS]`, as root on Linux. The machines are namespaces that
# nothing outside can reach; their disks are gone afterwards.
set -eu
cd "$(dirname "$0")/.."
if [ "$(uname)" != Linux ] || [ "$(id -u)" != 0 ]; then
    echo "The drill makes machines out of Linux's namespaces, so it needs Linux and root: sudo make drill" >&2
    exit 69
fi
if [ "${1:-}" = --short ]; then
    # The chart, and one server from its first package to its first visitors.
    shift
    set -- drill/test_0_chart.py drill/test_1_one_server.py::test_a_company_is_live_on_one_server "$@"
else
    set -- drill "$@"
fi
mkdir -p var/drill/disks var/drill/logs
# The machine that things are installed on has this one's network, for packages; all others have one without a way out.
exec unshare --mount --pid --fork --kill-child --mount-proc sh -euc '
    mount -t tmpfs -o size=70% drill var/drill/disks
    rm -rf var/drill/logs/*
    python -m drill.base
    unshare --net python -m pytest -p no:cacheprovider -c drill/pytest.ini "$@"
' drill "$@"
