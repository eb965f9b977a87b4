"""The API reference: a page for each package that lists public names, in the order of the house."""

import inspect
import pkgutil
from importlib import import_module
from types import ModuleType

from gamebalance.base.checks import shown

#: Parts of the package that are no library: the press of this collection, and its commands.
INNER = ("gamebalance.commands", "gamebalance.publish.", "chapters")
#: So many letters of a constant's value are shown.
VALUE = 100


def packages() -> dict[str, ModuleType]:
    """The packages with public names, by their names."""
    import gamebalance

    found = {}
    for module in pkgutil.walk_packages(gamebalance.__path__, "gamebalance."):
        if module.ispkg and not f"{module.name}.".startswith(INNER):
            package = import_module(module.name)
            if getattr(package, "__all__", None):
                found[module.name] = package
    return found


def texts() -> dict[str, str]:
    """The pages of the reference, in reStructuredText, by their paths; the one above all others says what each is."""
    known = packages()
    rows = [f":doc:`{name}`\n   {_summary(package)}\n" for name, package in known.items()]
    tree = "\n".join(f"   {name.removeprefix('gamebalance.')} <{name}>" for name in known)
    about = (
        "What the notebooks import, and what you can: ``import gamebalance``. "
        "The examples in these pages are run as tests.\n"
    )
    index = [_title("Library"), about, *rows, f".. toctree::\n   :hidden:\n\n{tree}\n"]
    made = {f"library/{name}.rst": _package(name, package, known) for name, package in known.items()}
    return made | {"library/index.rst": "\n".join(index)}


def _title(text: str) -> str:
    return f"{text}\n{'=' * len(text)}\n"


def _summary(thing: object) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def _package(name: str, package: ModuleType, known: dict[str, ModuleType]) -> str:
    """One package with all its public names: packages inside it first, its other modules last."""
    public = {each: getattr(package, each) for each in package.__all__}
    modules = {each: thing for each, thing in public.items() if isinstance(thing, ModuleType)}
    comments = _comments(package)
    blocks = [_title(name), f".. automodule:: {name}\n   :no-index:\n", f".. currentmodule:: {name}\n"]
    blocks += [f":doc:`{each.__name__}`\n   {_summary(each)}\n" for each in modules.values() if each.__name__ in known]
    blocks += [_member(each, thing, comments.get(each, "")) for each, thing in public.items() if each not in modules]
    blocks += [_module(each, public) for each in modules.values() if each.__name__ not in known]
    return "\n".join(blocks)


def _comments(package: ModuleType) -> dict[str, str]:
    """What is said of constants above them, in all modules of a package."""
    from sphinx.pycode import ModuleAnalyzer  # here, since it comes with an extra that `build` asks for

    modules = pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
    files = [ModuleAnalyzer.for_module(module.name) for module in modules if not module.ispkg]
    for file in files:
        file.analyze()
    found = {name: lines for file in files for (owner, name), lines in file.attr_docs.items() if not owner}
    return {name: " ".join(lines).strip() for name, lines in found.items()}


def _module(module: ModuleType, public: dict[str, object]) -> str:
    """A module under a heading of its own, with what the package does not have as well."""
    name = module.__name__.rpartition(".")[2]
    twice = [each for each, thing in public.items() if getattr(module, each, None) is thing]
    left_out = f"   :exclude-members: {', '.join(twice)}\n" if twice else ""
    return f"{name}\n{'-' * len(name)}\n\n.. automodule:: {module.__name__}\n   :members:\n{left_out}"


def _member(name: str, thing: object, comment: str) -> str:
    """A public name in the way that suits what it is."""
    if inspect.isclass(thing):
        return f".. autoclass:: {name}\n   :members:\n"
    if callable(thing):
        return f".. autofunction:: {name}\n"
    if isinstance(thing, dict) and all(isinstance(text, str) for text in thing.values()):
        choices = [f"   ``{key!r}``\n      {text}\n" for key, text in thing.items()]
        return "\n".join([f".. py:data:: {name}\n", f"   {comment}\n", *choices])
    return f".. py:data:: {name}\n   :value: {shown(thing, VALUE)}\n\n   {comment}\n"
