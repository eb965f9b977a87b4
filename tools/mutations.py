"""Every small change of a source file that `make mutants` tries: the operators of mutmut, and negated conditions.

mutmut's own runner changes the bodies of undecorated functions only. Here constants, defaults, properties and cached
functions are changed, too: half of the rules stands there. Left alone are annotations, imports, docstrings, decorators,
what runs as a script only, and of mutmut's three changes of a text all but the first.
"""

import difflib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst
from libcst import matchers
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider, WhitespaceInclusivePositionProvider
from mutmut.mutation.mutators import mutation_operators

NEVER_CHANGED = cst.Annotation | cst.Import | cst.ImportFrom | cst.Decorator
SCRIPT = matchers.If(test=matchers.Comparison(left=matchers.Name("__name__")))
#: Calls whose arguments are not dropped: that fails at once and says nothing about a test.
PLAIN_CALLS = matchers.Call(func=matchers.Name("len") | matchers.Name("isinstance"))


@dataclass(frozen=True)
class Mutant:
    """One changed source.

    Attributes
    ----------
    file : str
        Path in the project.
    line : int
        Where the change begins in the original.
    scope : str
        Function or class around it, as in "Rules.votes_on"; "" at the top of the module.
    change : str
        The changed lines as they read now, in one; a number follows where two changes of a scope read alike.
    was : str
        The same lines as they were.
    source : str
        The whole changed source.
    """

    file: str
    line: int
    scope: str
    change: str
    was: str
    source: str

    @property
    def name(self) -> str:
        """What identifies the change for as long as its lines stay as they are."""
        return f"{self.file} {self.scope}: {self.change}"


def mutants(file: str, source: str) -> list[Mutant]:
    """All changes of a source, in the order of the lines."""
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    visitor = _Visitor()
    wrapper.visit(visitor)
    found, seen, sources = [], Counter(), {source}
    for line, scope, node, changed in sorted(visitor.found, key=lambda change: change[0]):
        mutated = _replaced(source, wrapper, node, changed)
        if mutated in sources or not _compiles(mutated):
            continue
        sources.add(mutated)
        first, was, now = _difference(source, mutated)
        seen[scope, now] += 1
        number = f" ({seen[scope, now]})" if seen[scope, now] > 1 else ""
        found.append(Mutant(file, first or line, scope, now + number, was, mutated))
    return found


class _Visitor(cst.CSTVisitor):
    """Collects line, scope, node and what is put in its place."""

    METADATA_DEPENDENCIES = (PositionProvider, ParentNodeProvider)

    def __init__(self):
        super().__init__()
        self.found: list[tuple[int, str, cst.CSTNode, cst.CSTNode]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, NEVER_CHANGED) or matchers.matches(node, SCRIPT):
            return False
        position = self.get_metadata(PositionProvider, node, None)
        line = position.start.line if position else 0
        self.found += [(line, self._scope(node), node, changed) for changed in _changes(node)]
        return True

    def _scope(self, node: cst.CSTNode) -> str:
        names = []
        while not isinstance(node, cst.Module):
            node = self.get_metadata(ParentNodeProvider, node)
            if isinstance(node, cst.FunctionDef | cst.ClassDef):
                names.append(node.name.value)
        return ".".join(reversed(names))


def _changes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What mutmut puts in the place of a node, and a condition turned round."""
    for kind, operator in mutation_operators:
        if isinstance(node, kind) and not matchers.matches(node, PLAIN_CALLS):
            changed = operator(node)
            yield from list(changed)[:1] if isinstance(node, cst.BaseString) else changed
    if isinstance(node, cst.If | cst.While | cst.CompIf):
        inside = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        yield node.with_changes(test=cst.UnaryOperation(cst.Not(), inside))


def _replaced(source: str, wrapper: MetadataWrapper, node: cst.CSTNode, changed: cst.CSTNode) -> str:
    """The source with the one node changed; within a line by its place, which is faster."""
    span = wrapper.resolve(WhitespaceInclusivePositionProvider).get(node)
    if not isinstance(node, cst.BaseExpression) or span is None:
        return wrapper.module.deep_replace(node, changed).code
    lines = source.splitlines(keepends=True)
    before, after = lines[: span.start.line], lines[span.end.line - 1 :]
    before[-1], after[0] = before[-1][: span.start.column], after[0][span.end.column :]
    return "".join([*before, wrapper.module.code_for_node(changed), *after])


def _compiles(source: str) -> bool:
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def _difference(before: str, after: str) -> tuple[int, str, str]:
    """First line of the original that differs, and the lines that differ before and after, each in one line."""
    old, new = before.splitlines(), after.splitlines()
    blocks = [
        block for block in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if block[0] != "equal"
    ]
    was = " ".join(line.strip() for _, start, stop, _, _ in blocks for line in old[start:stop])
    now = " ".join(line.strip() for _, _, _, start, stop in blocks for line in new[start:stop])
    return blocks[0][1] + 1, was, now or f"without {was}"
