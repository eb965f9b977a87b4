"""What the processor can do that changes how fast it is, and sometimes the last bits of what it computes."""

from functools import cache


@cache
def vectors() -> str:
    """The widest vector instructions that numpy finds here, such as ``AVX2``."""
    from numpy._core._multiarray_umath import __cpu_features__ as features

    order = ("AVX512_SKX", "AVX512F", "AVX2", "AVX", "SSE42", "ASIMD")
    return next((name for name in order if features.get(name)), "none")
