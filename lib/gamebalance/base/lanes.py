"""Small machine operations that numba does not offer: 32-bit integers, and many equal things side by side.

numba widens every sum, shift and product of 32-bit integers to 64 bits, which halves the number that fit in a vector
register; the operations below stay at 32 bits. `get`, `put` and `look` tell the compiler that the tables a loop reads
never overlap with the state it writes; without that promise it cannot turn the loop into vector code.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

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


_EIGHT = ir.VectorType(ir.DoubleType(), 8)
_EIGHT_ZEROS = ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8)


@intrinsic
def add_scaled(_, sink, to, factor, source, start):
    """``sink[to : to + 8] += factor * source[start : start + 8]`` for flat arrays of float64, without bounds."""

    def emit(context, builder, signature, arguments):
        def eight(place):
            pointer = _pointer(context, builder, signature.args[place], *arguments[place : place + 2])
            return builder.bitcast(pointer, _EIGHT.as_pointer())

        written, undefined = eight(0), ir.Constant(_EIGHT, ir.Undefined)
        factor = builder.insert_element(undefined, arguments[2], ir.Constant(ir.IntType(32), 0))
        scaled = builder.fmul(builder.shuffle_vector(factor, undefined, _EIGHT_ZEROS), builder.load(eight(3), align=8))
        builder.store(builder.fadd(builder.load(written, align=8), scaled), written, align=8)
        return context.get_dummy_value()

    return types.void(sink, types.int64, types.float64, source, types.int64), emit
