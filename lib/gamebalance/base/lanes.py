"""Machine code for many equal things side by side.

A wide word is 512 bits, one for each of 512 games, on which ``& | ^ ~`` work at once. LLVM makes of it as many vector
registers as a processor needs, on every kind of processor. `written` makes machine code of a function that works on
wide words and numbers by running it once: numba, which finds out a type for every line, would take ten times as long.
"""

import operator
from collections.abc import Callable, Iterator

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def ones(_, word):
    """Number of bits set in a 32-bit word."""

    def emit(_context, builder, _signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint32(types.uint32), emit


@intrinsic
def lowest(_, word):
    """Place of the lowest bit set in a 64-bit word that is not 0."""

    def emit(_context, builder, _signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), emit


#: 64-bit words in a wide word.
WORDS = 8

_WIDE, _LONG = ir.VectorType(ir.IntType(64), WORDS), ir.IntType(64)


class Value:
    """A number of 64 or 32 bits, or a wide word, of the program that is being written.

    What is done with it becomes an instruction; comparisons are signed for 64 bits, unsigned for 32.
    """

    def __init__(self, builder: ir.IRBuilder, value):
        self.builder, self._value = builder, value

    @property
    def value(self):
        """What LLVM calls it."""
        return self._value

    def _like(self, other):
        """Another operand in the form of this one."""
        if isinstance(other, Value):
            return other.value
        kind = self.value.type
        return ir.Constant(kind, [other] * WORDS if kind == _WIDE else other & (1 << kind.width) - 1)

    def __invert__(self) -> "Value":
        return Value(self.builder, self.builder.not_(self.value))

    def to(self, bits: int) -> "Value":
        """The same number in so many bits; the highest are cut off, or 0."""
        width, kind = self.value.type.width, ir.IntType(bits)
        cast = self.builder.zext if width < bits else self.builder.trunc
        return self if width == bits else Value(self.builder, cast(self.value, kind))

    def is_set(self) -> "Value":
        """Whether it is another number than 0."""
        return Value(self.builder, self.builder.icmp_unsigned("!=", self.value, self._like(0)))

    def lowest(self) -> "Value":
        """Place of the lowest bit set, of a number that is not 0."""
        return Value(self.builder, self.builder.cttz(self.value, ir.Constant(ir.IntType(1), 1)))


def _operation(instruction: str, swapped: bool = False) -> Callable:
    def operation(self: Value, other) -> Value:
        pair = self.value, self._like(other)
        return Value(self.builder, getattr(self.builder, instruction)(*(pair[::-1] if swapped else pair)))

    return operation


def _comparison(symbol: str) -> Callable:
    def comparison(self: Value, other) -> Value:
        compare = self.builder.icmp_signed if self.value.type == _LONG else self.builder.icmp_unsigned
        return Value(self.builder, compare(symbol, self.value, self._like(other)))

    return comparison


_INSTRUCTIONS = {name: name for name in ("xor", "add", "sub", "mul")} | {"and": "and_", "or": "or_"}
_INSTRUCTIONS |= {"lshift": "shl", "rshift": "lshr", "floordiv": "udiv", "mod": "urem"}
for _name, _instruction in _INSTRUCTIONS.items():
    setattr(Value, f"__{_name}__", _operation(_instruction))
    setattr(Value, f"__r{_name}__", _operation(_instruction, swapped=True))
for _name, _symbol in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    setattr(Value, f"__{_name}__", _comparison(_symbol))


class Cell(Value):
    """A place on the stack that holds a value, and later another: ``|=`` and its like change it."""

    @property
    def value(self):
        """What it holds now."""
        return self.builder.load(self._value)

    def set(self, value) -> None:
        """Hold this from now on."""
        self.builder.store(self._like(value), self._value)


def _changed(symbol: Callable) -> Callable:
    def change(self: Cell, other) -> Cell:
        self.set(symbol(self, other))
        return self

    return change


for _name in ("and_", "or_", "xor", "add", "sub"):
    setattr(Cell, f"__i{_name.strip('_')}__", _changed(getattr(operator, _name)))


class Array:
    """A flat array of the program, without bounds; of narrow numbers an element counts as 32 bits.

    `rows` are its wide words, `size` is the number of its elements.
    """

    def __init__(self, builder: ir.IRBuilder, data, size: Value, rows: "Array | None" = None):
        self._builder, self._data, self.size = builder, data, size
        self._scope: dict = {}
        if data.type.pointee != _WIDE:
            self.rows = Array(builder, builder.bitcast(data, _WIDE.as_pointer()), size)

    def _at(self, index):
        value = index.value if isinstance(index, Value) else ir.Constant(_LONG, index)
        return self._builder.gep(self._data, [value])

    def _tagged(self, instruction, tag: str) -> None:
        """Promise that what `look` reads is never written: without it a loop is not made vector code."""
        module = self._builder.module
        domain = module.add_metadata(["gamebalance"])
        scope = module.add_metadata([module.add_metadata(["gamebalance state", domain])])
        instruction.set_metadata(tag, scope)

    def __getitem__(self, index) -> Value:
        return self._read(index, "alias.scope")

    def look(self, index) -> Value:
        """An element of a table that shares no memory with what is written."""
        return self._read(index, "noalias")

    def _read(self, index, tag: str) -> Value:
        if self._data.type.pointee == _WIDE:
            return Value(self._builder, self._builder.load(self._at(index), align=8))
        found = self._builder.load(self._at(index))
        self._tagged(found, tag)
        return Value(self._builder, found).to(max(found.type.width, 32))

    def __setitem__(self, index, value: Value) -> None:
        kind = self._data.type.pointee
        if kind == _WIDE:
            self._builder.store(value.value, self._at(index), align=8)
        else:
            self._tagged(self._builder.store(value.to(kind.width).value, self._at(index)), "alias.scope")


class Writer:
    """Writes loops, and what depends on a condition: ``for ... in`` one of these writes what follows once."""

    def __init__(self, builder: ir.IRBuilder):
        self.builder = builder

    def number(self, value) -> Value:
        """A number of 64 bits."""
        return value if isinstance(value, Value) else Value(self.builder, ir.Constant(_LONG, value))

    def cell(self, value) -> Cell:
        """A cell that holds this value, or number of 64 bits."""
        value = self.number(value).value
        cell = Cell(self.builder, cgutils.alloca_once(self.builder, value.type))
        self.builder.store(value, cell._value)
        return cell

    def wide(self, number) -> Value:
        """The wide word with this number in all its places."""
        undefined, first = ir.Constant(_WIDE, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        single = self.builder.insert_element(undefined, self.number(number).value, first)
        places = ir.Constant(ir.VectorType(ir.IntType(32), WORDS), [0] * WORDS)
        return Value(self.builder, self.builder.shuffle_vector(single, undefined, places))

    def none(self) -> Cell:
        """A cell that holds a wide word without any bit."""
        return self.cell(self.wide(0))

    def where(self, condition: Value) -> Value:
        """All bits if the condition holds, or none."""
        return self.wide(Value(self.builder, self.builder.sext(condition.value, _LONG)))

    def either(self, condition: Value, yes: Value, no) -> Value:
        """One of two values."""
        return Value(self.builder, self.builder.select(condition.value, yes.value, yes._like(no)))

    def each(self, first, last) -> Iterator[Value]:
        """For all numbers from `first` to `last` - 1."""
        first, last, before = self.number(first), self.number(last), self.builder.block
        head, body, after = (self.builder.append_basic_block(name) for name in ("each", "body", "after"))
        self.builder.branch(head)
        self.builder.position_at_end(head)
        index = self.builder.phi(_LONG)
        index.add_incoming(first.value, before)
        self.builder.cbranch(self.builder.icmp_signed("<", index, last.value), body, after)
        self.builder.position_at_end(body)
        yield Value(self.builder, index)
        index.add_incoming(self.builder.add(index, ir.Constant(_LONG, 1)), self.builder.block)
        self.builder.branch(head)
        self.builder.position_at_end(after)

    def while_(self, condition: Callable[[], Value]) -> Iterator[None]:
        """As long as the condition holds."""
        head = self.builder.append_basic_block("while")
        self.builder.branch(head)
        self.builder.position_at_end(head)
        yield from self.if_(condition(), head)

    def if_(self, condition: Value, follows=None) -> Iterator[None]:
        """If the condition holds; afterwards goes on behind it, or to where `follows` says."""
        body, after = (self.builder.append_basic_block(name) for name in ("then", "after"))
        self.builder.cbranch(condition.value, body, after)
        self.builder.position_at_end(body)
        yield
        self.builder.branch(follows or after)
        self.builder.position_at_end(after)


class Reckoner:
    """Does at once what a `Writer` would write, on wide words that are arrays of numpy; nothing is compiled."""

    each = staticmethod(range)

    def none(self) -> np.ndarray:
        """A wide word without any bit."""
        return np.zeros(WORDS, np.uint64)

    def where(self, condition: bool) -> np.ndarray:
        """All bits if the condition holds, or none."""
        return ~self.none() if condition else self.none()


def written(function: Callable, kinds: tuple[types.Type, ...], result: types.Type = types.void) -> tuple:
    """What numba's `intrinsic` asks for, so that it does what `function` does with a writer and its own arguments.

    Arrays are handed over flat, as `Array`, whole numbers as `Value`, and named tuples of these as they are.
    """

    def emit(context, builder, signature, arguments):
        pairs = zip(signature.args, arguments, strict=True)
        found = function(Writer(builder), *(_wrapped(context, builder, *pair) for pair in pairs))
        return context.get_dummy_value() if found is None else found.value

    return result(*kinds), emit


def _wrapped(context, builder, kind, argument):
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, argument)
        return Array(builder, array.data, Value(builder, array.nitems))
    if isinstance(kind, types.BaseNamedTuple):
        fields = cgutils.unpack_tuple(builder, argument)
        return kind.instance_class(
            *(_wrapped(context, builder, *pair) for pair in zip(kind.types, fields, strict=True))
        )
    return Value(builder, argument)


def transposed(rows: list) -> list:
    """Bit i of each byte of word j becomes bit j of the same byte of word i, for eight wide words."""
    rows = list(rows)
    for distance, mask in ((4, 0x0F0F0F0F0F0F0F0F), (2, 0x3333333333333333), (1, 0x5555555555555555)):
        for first in (row for row in range(8) if not row & distance):
            a, b = rows[first], rows[first + distance]
            differing = (a >> distance ^ b) & mask
            rows[first], rows[first + distance] = a ^ differing << distance, b ^ differing
    return rows
