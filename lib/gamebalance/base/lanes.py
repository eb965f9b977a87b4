"""Small machine operations that numba does not offer: 32-bit integers, and many equal things side by side.

numba widens every sum, shift and product of 32-bit integers to 64 bits, which halves the number that fit in a vector
register; the operations below stay at 32 bits. `get`, `put` and `look` tell the compiler that the tables a loop reads
never overlap with the state it writes; without that promise it cannot turn the loop into vector code.

A wide word is 512 bits, one for each of 512 games, on which ``& | ^ ~`` work at once. LLVM makes of it as many vector
registers as a processor needs, on every kind of processor.
"""

import operator

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

_WORD = types.uint32


def _word_operation(instruction: str):
    @intrinsic
    def operation(_, a, b):
        def emit(_context, builder, _signature, arguments):
            return getattr(builder, instruction)(*arguments)

        return _WORD(_WORD, _WORD), emit

    return operation


add = _word_operation("add")
sub = _word_operation("sub")
mul = _word_operation("mul")
shl = _word_operation("shl")  # by 0 to 31 places
shr = _word_operation("lshr")  # by 0 to 31 places


@intrinsic
def ones(_, word):
    """Number of bits set in a 32-bit word."""

    def emit(_context, builder, _signature, arguments):
        return builder.ctpop(arguments[0])

    return _WORD(_WORD), emit


@intrinsic
def lowest(_, word):
    """Place of the lowest bit set in a 64-bit word that is not 0."""

    def emit(_context, builder, _signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), emit


def _pointer(context, builder, kind, array, index):
    data = context.make_array(kind)(context, builder, array).data
    return builder.gep(data, [index])


def _state_scope(module):
    """The alias scope of the state: loads and stores tagged with it never overlap with those that exclude it."""
    domain = module.add_metadata(["gamebalance"])
    return module.add_metadata([module.add_metadata(["gamebalance state", domain])])


@intrinsic
def get(_, state, index):
    """``state[index]``, without bounds: the index must not be negative."""

    def emit(context, builder, signature, arguments):
        value = builder.load(_pointer(context, builder, signature.args[0], *arguments))
        value.set_metadata("alias.scope", _state_scope(builder.module))
        return value

    return state.dtype(state, types.int64), emit


@intrinsic
def put(_, state, index, value):
    """``state[index] = value``, without bounds: the index must not be negative."""

    def emit(context, builder, signature, arguments):
        store = builder.store(arguments[2], _pointer(context, builder, signature.args[0], *arguments[:2]))
        store.set_metadata("alias.scope", _state_scope(builder.module))
        return context.get_dummy_value()

    return types.void(state, types.int64, state.dtype), emit


@intrinsic
def look(_, table, index):
    """``table[index]`` of a table that shares no memory with the state; the index must be below 2^31."""

    def emit(context, builder, signature, arguments):
        # An index of 32 bits, not widened, becomes one gather for 16 lanes instead of two for 8.
        value = builder.load(_pointer(context, builder, signature.args[0], *arguments))
        value.set_metadata("noalias", _state_scope(builder.module))
        return value

    return table.dtype(table, _WORD), emit


#: 64-bit words in a wide word.
WORDS = 8


class _Wide(types.Type):
    def __init__(self):
        super().__init__(name=f"wide word of {WORDS} x 64 bits, form 1")  # the form: to be raised when operators change


WIDE = _Wide()
_WIDE = ir.VectorType(ir.IntType(64), WORDS)


@register_model(_Wide)
class _WideModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _WIDE)


def _same(value: int):
    return ir.Constant(_WIDE, [value] * WORDS)


def _wide_operator(symbol, instruction: str) -> None:
    """Let an operator of Python work on two wide words."""

    @intrinsic
    def apply(_, a, b):
        def emit(_context, builder, _signature, arguments):
            return getattr(builder, instruction)(*arguments)

        return WIDE(WIDE, WIDE), emit

    @overload(symbol, inline="never")
    def operation(a, b):
        return (lambda a, b: apply(a, b)) if a is WIDE and b is WIDE else None


for _symbol, _instruction in ((operator.and_, "and_"), (operator.or_, "or_"), (operator.xor, "xor")):
    _wide_operator(_symbol, _instruction)


@intrinsic
def _inverted(_, word):
    return WIDE(WIDE), lambda _context, builder, _signature, arguments: builder.not_(arguments[0])


@overload(operator.invert)
def _invert(word):
    return (lambda word: _inverted(word)) if word is WIDE else None


@intrinsic
def spread(_, word):
    """The wide word with this 64-bit word in all its places."""

    def emit(_context, builder, _signature, arguments):
        undefined = ir.Constant(_WIDE, ir.Undefined)
        single = builder.insert_element(undefined, arguments[0], ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(single, undefined, ir.Constant(ir.VectorType(ir.IntType(32), WORDS), [0] * WORDS))

    return WIDE(types.uint64), emit


@intrinsic
def take(_, array, row):
    """Wide word number `row` of a flat array, without bounds."""

    def emit(context, builder, signature, arguments):
        return builder.load(_wide_pointer(context, builder, signature.args[0], *arguments), align=8)

    return WIDE(array, types.int64), emit


@intrinsic
def give(_, array, row, value):
    """Put wide word number `row` of a flat array, without bounds."""

    def emit(context, builder, signature, arguments):
        pointer = _wide_pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], pointer, align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, WIDE), emit


def _wide_pointer(context, builder, kind, array, row):
    data = context.make_array(kind)(context, builder, array).data
    return builder.gep(builder.bitcast(data, _WIDE.as_pointer()), [row])


def _transposed(builder, rows: list) -> list:
    """Bit i of each byte of word j becomes bit j of the same byte of word i, for eight wide words."""
    rows = list(rows)
    for distance, mask in ((4, 0x0F0F0F0F0F0F0F0F), (2, 0x3333333333333333), (1, 0x5555555555555555)):
        for first in (row for row in range(8) if not row & distance):
            a, b = rows[first], rows[first + distance]
            differing = builder.and_(builder.xor(builder.lshr(a, _same(distance)), b), _same(mask))
            rows[first] = builder.xor(a, builder.shl(differing, _same(distance)))
            rows[first + distance] = builder.xor(b, differing)
    return rows


@intrinsic
def give_bytes(_, array, row, words):
    """Put row number `row` of 512 bytes, one for each game, made of the game's bits in eight wide words.

    Bit 8 b + i of 64-bit word w becomes part of byte 64 i + 8 w + b.
    """

    def emit(context, builder, signature, arguments):
        rows = [builder.extract_value(arguments[2], place) for place in range(8)]
        for pointer, value in zip(
            _eight_pointers(context, builder, signature, arguments), _transposed(builder, rows), strict=True
        ):
            builder.store(value, pointer, align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.UniTuple(WIDE, 8)), emit


@intrinsic
def take_bytes(_, array, row):
    """The eight wide words from which `give_bytes` would make row number `row`."""

    def emit(context, builder, signature, arguments):
        rows = [builder.load(at, align=8) for at in _eight_pointers(context, builder, signature, arguments)]
        return context.make_tuple(builder, signature.return_type, _transposed(builder, rows))

    return types.UniTuple(WIDE, 8)(array, types.int64), emit


def _eight_pointers(context, builder, signature, arguments) -> list:
    index = ir.IntType(64)
    first = builder.mul(arguments[1], ir.Constant(index, 8))
    rows = [builder.add(first, ir.Constant(index, place)) for place in range(8)]
    return [_wide_pointer(context, builder, signature.args[0], arguments[0], row) for row in rows]
