"""Eight or sixteen doubles at a time, in registers: the inner loops of `sanguosha.kernels.transfer`.

numba does not promise to turn a loop over a slice of eight into vector code, and never keeps the eight sums of a longer
loop in registers. LLVM does both for a vector of doubles, on any processor; products and sums are rounded one by
one, so that the results are the same bits on all of them.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

#: Doubles in a vector, and in a longer one.
EIGHT, SIXTEEN = 8, 16

_INDEX = ir.IntType(64)


def _at(context, builder, kind, array, index):
    """Pointer to the element `index` of a flat array."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


def _vector(lanes: int) -> ir.VectorType:
    return ir.VectorType(ir.DoubleType(), lanes)


def _vector_at(lanes, context, builder, kind, array, index):
    return builder.bitcast(_at(context, builder, kind, array, index), _vector(lanes).as_pointer())


def _spread(lanes, builder, value):
    """A vector with this number in every lane."""
    undefined = ir.Constant(_vector(lanes), ir.Undefined)
    single = builder.insert_element(undefined, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(single, undefined, ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes))


def _simple(lanes: int) -> tuple:
    """`put_scaled` and `add` for vectors of so many doubles, in flat arrays, without bounds."""

    @intrinsic
    def put_scaled(_, sink, to, factor, source, start):
        """``sink[to : to + lanes] = factor * source[start : start + lanes]``."""

        def emit(context, builder, signature, arguments):
            sink_at = _vector_at(lanes, context, builder, signature.args[0], *arguments[:2])
            source_at = _vector_at(lanes, context, builder, signature.args[3], *arguments[3:])
            scaled = builder.fmul(_spread(lanes, builder, arguments[2]), builder.load(source_at, align=8))
            builder.store(scaled, sink_at, align=8)
            return context.get_dummy_value()

        return types.void(sink, types.int64, types.float64, source, types.int64), emit

    @intrinsic
    def add(_, sink, to, source, start):
        """``sink[to : to + lanes] += source[start : start + lanes]``."""

        def emit(context, builder, signature, arguments):
            sink_at = _vector_at(lanes, context, builder, signature.args[0], *arguments[:2])
            source_at = _vector_at(lanes, context, builder, signature.args[2], *arguments[2:])
            total = builder.fadd(builder.load(sink_at, align=8), builder.load(source_at, align=8))
            builder.store(total, sink_at, align=8)
            return context.get_dummy_value()

        return types.void(sink, types.int64, source, types.int64), emit

    return put_scaled, add


def _summing(lanes: int):
    """`put_sum`, likewise."""

    @intrinsic
    def put_sum(_, sink, to, factors, starts, first, last, source):
        """Put the sum of ``factors[i] * source[starts[i] : starts[i] + lanes]`` into ``sink[to : to + lanes]``.

        For i from `first` to `last` - 1, of which there is at least one.
        """

        def emit(context, builder, signature, arguments):
            kinds = signature.args
            sink_array, to, factors, starts, first, last, source = arguments
            before, loop = builder.basic_block, builder.append_basic_block("rows")
            builder.branch(loop)
            builder.position_at_end(loop)
            row, total = builder.phi(_INDEX), builder.phi(_vector(lanes))
            factor = builder.load(_at(context, builder, kinds[2], factors, row))
            start = builder.load(_at(context, builder, kinds[3], starts, row))
            several = builder.load(_vector_at(lanes, context, builder, kinds[6], source, start), align=8)
            grown, following = (
                builder.fadd(total, builder.fmul(_spread(lanes, builder, factor), several)),
                builder.add(row, ir.Constant(_INDEX, 1)),
            )
            row.add_incoming(first, before)
            row.add_incoming(following, loop)
            total.add_incoming(ir.Constant(_vector(lanes), [0.0] * lanes), before)
            total.add_incoming(grown, loop)
            after = builder.append_basic_block("after_rows")
            builder.cbranch(builder.icmp_signed("<", following, last), loop, after)
            builder.position_at_end(after)
            builder.store(grown, _vector_at(lanes, context, builder, kinds[0], sink_array, to), align=8)
            return context.get_dummy_value()

        kinds = (sink, types.int64, factors, starts, types.int64, types.int64, source)
        return types.void(*kinds), emit

    return put_sum


(put_8, add_8), sum_8 = _simple(EIGHT), _summing(EIGHT)
(put_16, add_16), sum_16 = _simple(SIXTEEN), _summing(SIXTEEN)


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
