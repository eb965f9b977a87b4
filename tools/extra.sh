#!/bin/sh
# Installs the extra $2 ("peers", "mutants", "pettingzoo") into the environment whose programs are in $1. Called by make.
set -u
cd "$(dirname "$0")/.." || exit 1
echo "$2: installing what it needs from PyPI" >&2
if [ "$1" = .venv/bin ] && [ -x .venv/bin/uv ]; then
    UV_SYSTEM_CERTS=${UV_SYSTEM_CERTS:-1} UV_PROJECT_ENVIRONMENT=.venv .venv/bin/uv sync --quiet --frozen --inexact \
        --extra lab --extra site --extra "$2"
else
    "$1/python" -m pip --quiet install --editable ".[$2]"
fi
