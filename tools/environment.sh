#!/bin/sh
# Creates .venv from the lock; does nothing when it is there already. Called by make.
# Three ways, the first that works: uv from PATH; uv installed into .venv by pip; pip alone with requirements.lock.
# Whatever is installed must have the hash that the lock names: uv itself and what builds the package, too.
# An environment that is replaced waits beside it until the new one stands, and comes back when that fails or is stopped.
#     tools/environment.sh            what reading and computing need
#     tools/environment.sh complete   and what tests, lint, lock and the documentation need
set -u
wanted=${1:-reading}
case $wanted in reading | complete) ;; *) echo "environment: $wanted is neither reading nor complete" >&2 && exit 1 ;; esac
cd "$(dirname "$0")/.." || exit 1
stamp=.venv/.ready # written last, so a half-made environment never counts
before=.venv.before

say() { echo "environment: $*" >&2; }

# An interpreter is what says its version. pyproject.toml holds the same bounds as requires-python;
# tests/test_environment.py compares them.
version_of() { "$1" -c 'import sys; print(*sys.version_info[:2], sep=".")' 2>/dev/null; }
right_version() { case $(version_of "$1") in 3.11 | 3.12 | 3.13 | 3.14) ;; *) return 1 ;; esac; }
makes_venvs() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }
asked_for() { [ -z "${PYTHON:-}" ] || [ "$(version_of "$PYTHON")" = "$(version_of .venv/bin/python)" ]; }
state() { echo "$PWD" && cat pyproject.toml uv.lock requirements.lock binder/requirements.lock | cksum; }

ready() {
    { [ "$(state && echo complete)" = "$(cat $stamp 2>/dev/null)" ] || {
        [ "$wanted" = reading ] && [ "$(state && echo reading)" = "$(cat $stamp 2>/dev/null)" ]
    }; } && right_version .venv/bin/python && asked_for
}

replaced() { [ -e $before ] || [ -h $before ]; }
# Of two environments one goes: the old one when the new one is complete, or else the new one.
settle() {
    replaced || return 0
    if [ -f $stamp ]; then rm -rf $before; else rm -rf .venv && mv $before .venv; fi
}

replaced || { ready && exit 0; }
if [ ! -w . ]; then
    say "$PWD cannot be written, and .venv belongs there: copy the checkout to a folder of yours"
    exit 1
fi
# Of two at once the second waits, and finds the work done; where there is no flock, one has to wait for the other.
mkdir -p build
if command -v flock >/dev/null && exec 9>build/environment.lock; then
    flock -n 9 || { say "another make is installing into .venv; waiting for it" && flock 9; }
fi
settle # what a kill has left
ready && exit 0

# The first Python that will do, preferring one that can make virtual environments without help.
python=
[ -n "${PYTHON:-}" ] && set -- "$PYTHON" || set -- python3 python3.14 python3.13 python3.12 python3.11 python
for candidate; do
    right_version "$candidate" || continue
    python=${python:-$candidate}
    if makes_venvs "$candidate"; then python=$candidate && break; fi
done
uv=
case $(uv --version 2>/dev/null) in "uv "*) uv=uv ;; esac # a shim on PATH may lead nowhere

if [ -n "${PYTHON:-}" ] && [ -z "$python" ]; then
    say "PYTHON=$PYTHON is not a Python 3.11 to 3.14; name one that is, or leave PYTHON out"
    exit 1
elif [ -z "$python$uv" ]; then
    found=$(python3 --version 2>&1) || found=missing
    say "no Python 3.11 to 3.14 found (python3 is $found): install one, or uv (https://docs.astral.sh/uv/)"
    exit 1
elif [ -z "$uv" ] && ! makes_venvs "$python"; then
    say "$python cannot create virtual environments: on Debian or Ubuntu install python$(version_of "$python")-venv, elsewhere a complete Python or uv (https://docs.astral.sh/uv/)"
    exit 1
fi

# An environment that was once complete is brought up to date in place; any other remains are not to be trusted.
once= clear=--clear # which kind it was
if [ -f $stamp ] && right_version .venv/bin/python && [ "$(head -n 1 $stamp)" = "$PWD" ] && asked_for; then
    python=.venv/bin/python clear= once=$(tail -n 1 $stamp)
    if [ "$once" = complete ]; then wanted=complete; fi # it stays so
    rm -f $stamp
else
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    trap settle EXIT
    if [ -e .venv ]; then mv .venv $before || exit 1; else rm -rf .venv; fi
fi

unset VIRTUAL_ENV
export UV_PROJECT_ENVIRONMENT=.venv
pip="env PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/bin/python -m pip --quiet"

case $wanted in
reading) what="--extra lab --no-group dev" lock=binder/requirements.lock size="0.7 GB" ;;
complete) what="--extra lab" lock=requirements.lock size="1.2 GB" ;;
esac

# Certificates: the system's first, as pip has them and as sites with their own authority need; else uv's own.
# The package comes last: the build backend that the lock names is there by then.
sync() {
    for certificates in "${UV_SYSTEM_CERTS:-1}" 0; do
        for part in --no-install-project ""; do
            # shellcheck disable=SC2086 # several words
            UV_SYSTEM_CERTS=$certificates "$1" sync --quiet --frozen --inexact $what $part ${2:+--python "$2"} || continue 2
        done
        return
    done
    return 1
}
with_uv() { [ -n "$uv" ] && sync "$uv" "$python"; }
make_venv() { [ -n "$python" ] && { [ -x .venv/bin/pip ] || "$python" -m venv $clear .venv; }; }
# Installs the lines of a lock ($1) for uv ($2 empty), or for all the rest ($2 is !).
hashed() {
    awk "/^[a-z]/ {keep = $2/^uv==/} keep" "$1" >.venv/some.lock &&
        $pip install --no-deps --no-compile --require-hashes -r .venv/some.lock
}
with_uv_from_pip() { make_venv && hashed requirements.lock "" && sync .venv/bin/uv .venv/bin/python; }
# Here uv is what could not be installed, so it is left out; nothing but one test asks for it.
with_pip() { make_venv && hashed "$lock" ! && $pip install --no-deps --no-build-isolation -e .; }

say "installing into .venv ($size; half a minute on a fast line)"
{ with_uv || with_uv_from_pip || { say "uv did not do it; trying pip, which takes longer" && with_pip; }; } &&
    right_version .venv/bin/python || {
    if [ -n "$once" ]; then printf '%s\nunfinished\n%s\n' "$PWD" "$once" >$stamp; fi # to be tried in place again
    say "the installation failed; the messages above say why. 'make env' tries it again"
    exit 1
}
{ state && echo $wanted; } >$stamp
