#!/bin/sh
# Builds the image out of dist/, by whichever tool is there. Further options go to it: ARGS='--build-arg BASE=…'.
set -eu
cd "$(dirname "$0")/.."
for tool in buildah podman docker; do
    command -v $tool >/dev/null && exec $tool build --file deploy/container/Containerfile --tag localhost/portolan "$@" .
done
echo "Neither buildah, podman nor docker is here, so no image was built. Debian: apt-get install buildah" >&2
exit 1
