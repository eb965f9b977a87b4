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


def rests_on(node, names):
    found, own = set(), {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    if not isinstance(node, ast.Name):
        own |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id not in own:
            found |= names.get(part.id, set())
        elif isinstance(part, ast.Attribute) and part.attr in SOURCES:
            found.add(SOURCES[part.attr])
        elif (isinstance(part, ast.keyword) and part.arg == "seed") or (
            isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value in DRAWN
        ):
            found.add("chance")
    return found


def in_order(node):
    """All parts of code as they stand, but for those of functions; those of a loop twice."""
    yield node
    for _ in range(1 + isinstance(node, ast.For)):
        for part in [] if isinstance(node, ast.FunctionDef | ast.ClassDef) else ast.iter_child_nodes(node):
            yield from in_order(part)


def given(one):
    """What a statement or a call gives to which names."""
    if isinstance(one, ast.Assign):
        for target in one.targets:
            paired = isinstance(target, ast.Tuple) and len(getattr(one.value, "elts", ())) == len(target.elts)
            yield from zip(target.elts, one.value.elts, strict=True) if paired else [(target, one.value)]
    elif isinstance(one, ast.AugAssign | ast.AnnAssign) and one.value is not None:
        yield one.target, one.value
    elif isinstance(one, ast.For):
        yield one.target, one.iter
    elif isinstance(one, ast.withitem) and one.optional_vars is not None:
        yield one.optional_vars, one.context_expr
    elif isinstance(one, ast.FunctionDef | ast.ClassDef):
        yield ast.Name(one.name), one
    elif isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in CHANGES:
        yield one.func.value, one


def roots(target):
    """The names that a target changes."""
    if isinstance(target, ast.Tuple | ast.List):
        return [name for each in target.elts for name in roots(each)]
    return [target.id] if isinstance(target, ast.Name) else roots(target.value) if hasattr(target, "value") else []


def sources(code):
    """What each finding rests on, and whether the notebook computes an error for it."""
    names, found = {"seed": {"chance"}}, {}
    for one in in_order(code):
        for target, value in given(one):
            rests = rests_on(value, names)
            anew = isinstance(one, ast.Assign) and isinstance(target, ast.Name | ast.Tuple)
            for name in roots(target):
                names[name] = rests if anew and name != "seed" else names.get(name, set()) | rests
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "finding":
            if isinstance(one.args[0], ast.Constant):
                parts = [rests_on(part, names) for part in [*one.args[1:], *one.keywords]]
                computed = any(not isinstance(error, ast.Constant) for error in one.args[2:3])
                found[one.args[0].value] = set().union(*parts), computed
    return found


@pytest.mark.parametrize("notebook", [one for one in COLLECTION.notebooks if one.findings], ids=lambda one: one.name)
def test_what_rests_on_chance_on_records_or_on_a_clock_says_so(notebook):
    cells = [cell["source"] for cell in notebooks.cells(PROJECT.root / notebook.path) if cell["type"] == "code"]
    lines = [line for cell in cells for line in cell.splitlines() if not line.startswith(("%", "!"))]
    found = sources(ast.parse("\n".join(lines)))
    assert found.keys() == {finding.id for finding in notebook.findings}
    exact = [one.id for one in notebook.findings if one.method in ("exact", "computed", "proof")]
    # Where exact and simulated numbers stand in one table, the error that stands beside a number tells.
    assert {
        name: found[name] for name in exact if found[name][0] and not (found[name][1] and ERRORS[name] < 1e-6)
    } == {}
