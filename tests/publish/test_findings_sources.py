"""Each finding followed to its source: what rests on chance, records or a clock is neither exact nor computed."""

import ast

import pytest

from gamebalance.publish import findings, manifest, notebooks, paths

PROJECT = paths.project()
COLLECTION = manifest.load(PROJECT)
#: Calls that change what they are called on.
CHANGES = {"append", "update", "extend", "add", "insert", "setdefault"}
#: Tables that took hours, computed with random numbers.
DRAWN = {table.id for table in COLLECTION.heavy if {"seed", "games"} & {*table.parameters, *(table.over or ())}}
ERRORS = {result.finding.id: result.error for result in findings.collect(PROJECT, COLLECTION)}
#: Where an attribute leads.
SOURCES = {"observed": "records", "process_time": "a clock", "perf_counter": "a clock"}


class Slice:
    """What the names of a notebook rest on, statement by statement; and its findings, and whether each has an error."""

    def __init__(self, statements):
        self.names, self.found = {"seed": {"chance"}}, {}
        self.run(statements, set())

    def rests_on(self, node):
        found = set()
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                found |= self.names.get(part.id, set())
            elif isinstance(part, ast.Attribute) and part.attr in SOURCES:
                found.add(SOURCES[part.attr])
            elif (isinstance(part, ast.keyword) and part.arg == "seed") or (
                isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value in DRAWN
            ):
                found.add("chance")
        return found

    def run(self, statements, under):
        for one in statements:
            if isinstance(one, ast.FunctionDef):
                self.define(one)
            elif isinstance(one, ast.For):
                for _ in range(2):  # what a later statement of the loop changes, an earlier one sees
                    self.bind(one.target, self.rests_on(one.iter) | under, keep=True)
                    self.run(one.body, under)
            elif isinstance(one, ast.If):
                within = under | self.rests_on(one.test)
                self.run(one.body, within)
                self.run(one.orelse, within)
            elif isinstance(one, ast.With):
                for item in one.items:
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, self.rests_on(item.context_expr) | under)
                self.run(one.body, under)
            else:
                self.plain(one, under)

    def plain(self, one, under):
        if isinstance(one, ast.Assign):
            for target in one.targets:
                pairs = [(target, one.value)]
                if isinstance(target, ast.Tuple) and len(getattr(one.value, "elts", ())) == len(target.elts):
                    pairs = list(zip(target.elts, one.value.elts, strict=True))
                for each, value in pairs:
                    if not (isinstance(each, ast.Name) and each.id == "seed"):
                        self.bind(each, self.rests_on(value) | under)
        elif isinstance(one, ast.AugAssign | ast.AnnAssign) and one.value is not None:
            self.bind(one.target, self.rests_on(one.value) | under, keep=isinstance(one, ast.AugAssign))
        for call in (part for part in ast.walk(one) if isinstance(part, ast.Call)):
            if isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES:
                self.bind(call.func.value, self.of_arguments(call) | under, keep=True)
            elif isinstance(call.func, ast.Attribute) and call.func.attr == "finding":
                if isinstance(call.args[0], ast.Constant):
                    with_error = any(not isinstance(given, ast.Constant) for given in call.args[2:3])
                    self.found[call.args[0].value] = self.of_arguments(call, 1), with_error

    def of_arguments(self, call, first=0):
        return set().union(*map(self.rests_on, [*call.args[first:], *(given.value for given in call.keywords)]))

    def define(self, function):
        parts = list(ast.walk(function))
        own = {part.arg for part in parts if isinstance(part, ast.arg)}
        own |= {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        hidden = {name: self.names.pop(name) for name in own if name in self.names}
        found = self.rests_on(function)
        self.names |= hidden | {function.name: found}

    def bind(self, target, found, keep=False):
        if isinstance(target, ast.Tuple | ast.List):
            for each in target.elts:
                self.bind(each, found, keep)
        elif isinstance(target, ast.Name):
            self.names[target.id] = found | (self.names.get(target.id, set()) if keep else set())
        elif isinstance(target, ast.Starred | ast.Subscript | ast.Attribute):
            self.bind(target.value, found, keep=True)


def statements(notebook):
    """The code of a notebook, without the cell that the full run added and what is no Python."""
    for cell in notebooks.cells(PROJECT.root / notebook.path):
        if cell["type"] == "code":
            lines = [line for line in cell["source"].splitlines() if not line.startswith(("%", "!"))]
            yield from ast.parse("\n".join(lines)).body


@pytest.mark.parametrize("notebook", [one for one in COLLECTION.notebooks if one.findings], ids=lambda one: one.name)
def test_what_rests_on_chance_on_records_or_on_a_clock_says_so(notebook):
    found = Slice(statements(notebook)).found
    assert found.keys() == {finding.id for finding in notebook.findings}
    wrong = {}
    for finding in notebook.findings:
        sources, with_error = found[finding.id]
        # Where exact and simulated numbers stand in one table, the error that stands beside a number tells.
        exact = with_error and ERRORS[finding.id] < 1e-6
        if sources and finding.method in ("exact", "computed", "proof") and not exact:
            wrong[finding.id] = sources
    assert not wrong


def test_the_sources_of_a_number_are_found():
    code = """
numbers = simulate(games, seed=seed)
table, other = read(numbers), solve(3)
rows = []
for line in other:
    rows.append(line)
counts = publish.observed("tables")
def share(frame): return frame.mean() / numbers
book.finding("drawn", table)
book.finding("drawn-too", other, more=share(other))
book.finding("counted", counts.mean(), counts.sem())
table = other
book.finding("solved", table, 0.0, rows=rows)
rows.append(process_time.process_time())
book.finding("timed", rows)
"""
    found = Slice(ast.parse(code).body).found
    assert {name: sources for name, (sources, _) in found.items()} == {
        "drawn": {"chance"},
        "drawn-too": {"chance"},
        "counted": {"records"},
        "solved": set(),
        "timed": {"a clock"},
    }
    assert [name for name, (_, with_error) in found.items() if with_error] == ["counted"]


def test_only_what_is_exact_or_sampled_has_an_error():
    for result in findings.collect(PROJECT, COLLECTION):
        assert (result.error is None) == (result.kind in ("interval", "judged", "one run")), result.finding.id
