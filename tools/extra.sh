#!/bin/sh
# Installs the extra $2 ("peers", "mutants", "pettingzoo") into the environment whose programs are in $1. Called
# by make. All that is installed has the hash that the lock names: uv.lock, or for pip what make lock exports from it.
set -u
cd "$(dirname "$0")/.." || exit 1
case ${2-} in
site) lock=requirements.lock ;;
peers | mutants | pettingzoo) lock=tools/locks/$2.lock ;;
*) echo "extra: ${2-} is none of site, peers, mutants, pettingzoo" >&2 && exit 2 ;;
esac
echo "$2: installing what it needs from PyPI" >&2
if [ "$1" = .venv/bin ] && [ -x .venv/bin/uv ]; then
    UV_SYSTEM_CERTS=${UV_SYSTEM_CERTS:-1} UV_PROJECT_ENVIRONMENT=.venv .venv/bin/uv sync --quiet --frozen --inexact \
        --extra lab --extra "$2"
else
    "$1/python" -m pip --quiet install --no-deps --require-hashes -r "$lock"
fi
