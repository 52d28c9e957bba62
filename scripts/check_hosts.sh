#!/bin/sh
# Locks and sources name no package registry: the same commit installs from whichever mirror a machine is set up for.
hosts="pypi|pythonhosted|npmjs|deb\.debian"
if git grep -nIE "//[a-z.]*(${hosts})\.org" -- . ':!scripts/check_hosts.sh'; then
    echo "a package registry's host stands above; locks are made with make lock, and .npmrc keeps addresses out"
    exit 1
fi
if git grep -nIE '^(<<<<<<<|>>>>>>>) ' -- .; then
    echo "marks of an unfinished merge stand above"
    exit 1
fi
