"""splitmix64, the generator of 64-bit words behind all simulated games, in plain Python and compiled.

Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. Its state grows by `GOLDEN` from
word to word; `mix` makes a word of a state.
"""

from numpy import uint64

from gamebalance.base.jit import njit

GOLDEN, MIX_1, MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_LONG = 0xFFFFFFFFFFFFFFFF


def mix(value: int) -> int:
    """The output function of splitmix64: spreads a 64-bit number over all its bits."""
    value &= _LONG
    value = (value ^ value >> 30) * MIX_1 & _LONG
    value = (value ^ value >> 27) * MIX_2 & _LONG
    return value ^ value >> 31


@njit(inline="always")
def mix_word(value):
    """`mix`, compiled, of an unsigned 64-bit word."""
    value = uint64(uint64(value ^ (value >> uint64(30))) * uint64(MIX_1))
    value = uint64(uint64(value ^ (value >> uint64(27))) * uint64(MIX_2))
    return uint64(value ^ (value >> uint64(31)))
