#!/bin/sh
# Installs the extra "bench" into the environment whose programs are in the folder $1. Called by make bench.
set -u
cd "$(dirname "$0")/.." || exit 1
echo "bench: installing the peers from PyPI" >&2
if [ "$1" = .venv/bin ] && [ -x .venv/bin/uv ]; then
    UV_SYSTEM_CERTS=${UV_SYSTEM_CERTS:-1} UV_PROJECT_ENVIRONMENT=.venv .venv/bin/uv sync --quiet --frozen --inexact --extra bench
else
    "$1/python" -m pip --quiet install --editable '.[bench]'
fi
