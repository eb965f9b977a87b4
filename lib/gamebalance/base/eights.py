"""Eight doubles at a time, in registers: the inner loops of `sanguosha.kernels.transfer`.

numba does not promise to turn a loop over a slice of eight into vector code, and never keeps the eight sums of a longer
loop in registers. LLVM does both for a vector of eight doubles, on any processor; products and sums are rounded one by
one, so that the results are the same bits on all of them.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

#: Doubles in a vector.
EIGHT = 8

_VECTOR, _INDEX = ir.VectorType(ir.DoubleType(), EIGHT), ir.IntType(64)
_FIRST_LANES = ir.Constant(ir.VectorType(ir.IntType(32), EIGHT), [0] * EIGHT)


def _at(context, builder, kind, array, index):
    """Pointer to the element `index` of a flat array."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


def _eight_at(context, builder, kind, array, index):
    return builder.bitcast(_at(context, builder, kind, array, index), _VECTOR.as_pointer())


def _spread(builder, value):
    """A vector with this number in every lane."""
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    single = builder.insert_element(undefined, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(single, undefined, _FIRST_LANES)


@intrinsic
def put_scaled(_, sink, to, factor, source, start):
    """``sink[to : to + 8] = factor * source[start : start + 8]`` for flat arrays of float64, without bounds."""

    def emit(context, builder, signature, arguments):
        sink_at = _eight_at(context, builder, signature.args[0], *arguments[:2])
        source_at = _eight_at(context, builder, signature.args[3], *arguments[3:])
        scaled = builder.fmul(_spread(builder, arguments[2]), builder.load(source_at, align=8))
        builder.store(scaled, sink_at, align=8)
        return context.get_dummy_value()

    return types.void(sink, types.int64, types.float64, source, types.int64), emit


@intrinsic
def add_eight(_, sink, to, source, start):
    """``sink[to : to + 8] += source[start : start + 8]`` for flat arrays of float64, without bounds."""

    def emit(context, builder, signature, arguments):
        sink_at = _eight_at(context, builder, signature.args[0], *arguments[:2])
        source_at = _eight_at(context, builder, signature.args[2], *arguments[2:])
        total = builder.fadd(builder.load(sink_at, align=8), builder.load(source_at, align=8))
        builder.store(total, sink_at, align=8)
        return context.get_dummy_value()

    return types.void(sink, types.int64, source, types.int64), emit


@intrinsic
def put_sum(_, sink, to, factors, starts, first, last, source):
    """Sum of ``factors[i] * source[starts[i] : starts[i] + 8]`` for i from `first` to `last` - 1, without bounds.

    Put into ``sink[to : to + 8]``. All arrays are flat, of float64 but for `starts`, of int64; there is at least one i.
    """

    def emit(context, builder, signature, arguments):
        kinds = signature.args
        sink_array, to, factors, starts, first, last, source = arguments
        before, loop = builder.basic_block, builder.append_basic_block("rows")
        builder.branch(loop)
        builder.position_at_end(loop)
        row, total = builder.phi(_INDEX), builder.phi(_VECTOR)
        factor = builder.load(_at(context, builder, kinds[2], factors, row))
        start = builder.load(_at(context, builder, kinds[3], starts, row))
        eight = builder.load(_eight_at(context, builder, kinds[6], source, start), align=8)
        grown, following = (
            builder.fadd(total, builder.fmul(_spread(builder, factor), eight)),
            builder.add(row, ir.Constant(_INDEX, 1)),
        )
        row.add_incoming(first, before)
        row.add_incoming(following, loop)
        total.add_incoming(ir.Constant(_VECTOR, [0.0] * EIGHT), before)
        total.add_incoming(grown, loop)
        after = builder.append_basic_block("after_rows")
        builder.cbranch(builder.icmp_signed("<", following, last), loop, after)
        builder.position_at_end(after)
        builder.store(grown, _eight_at(context, builder, kinds[0], sink_array, to), align=8)
        return context.get_dummy_value()

    kinds = (sink, types.int64, factors, starts, types.int64, types.int64, source)
    return types.void(*kinds), emit


@intrinsic
def prefetch(_, array, index):
    """Ask for ``array[index]`` to be brought near; any index is harmless."""

    def emit(context, builder, signature, arguments):
        at = builder.bitcast(_at(context, builder, signature.args[0], *arguments), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()] + [ir.IntType(32)] * 3)
        function = builder.module.globals.get("llvm.prefetch.p0i8") or ir.Function(
            builder.module, kind, "llvm.prefetch.p0i8"
        )
        builder.call(function, [at, *(ir.Constant(ir.IntType(32), value) for value in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(array, types.int64), emit
