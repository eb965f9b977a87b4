"""The API reference: a page for each package that lists public names, in the order of the house."""

import inspect
import pkgutil
from importlib import import_module
from types import ModuleType

#: Parts of the package that are no library: the press of this collection, and its commands.
INNER = ("gamebalance.commands", "gamebalance.publish.", "gamebalance.studies")


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
    """The pages of the reference, in reStructuredText, by their paths."""
    known = packages()
    made = {f"library/{name}.rst": _package(name, package, known) for name, package in known.items()}
    made["library/index.rst"] = _index(known)
    return made


def _title(text: str) -> str:
    return f"{text}\n{'=' * len(text)}\n"


def _index(known: dict[str, ModuleType]) -> str:
    """The page above all others: what each package is for."""
    rows = [f":doc:`{name}`\n   {_summary(package)}\n" for name, package in known.items()]
    tree = "\n".join(f"   {name.removeprefix('gamebalance.')} <{name}>" for name in known)
    return "\n".join(
        [
            _title("Library"),
            "What the notebooks import, and what you can: ``import gamebalance``. "
            "The examples in these pages are run as tests.\n",
            *rows,
            f".. toctree::\n   :hidden:\n\n{tree}\n",
        ]
    )


def _summary(thing: object) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def _package(name: str, package: ModuleType, known: dict[str, ModuleType]) -> str:
    """One package with all its public names."""
    blocks = [_title(name), f".. automodule:: {name}\n   :no-index:\n", f".. currentmodule:: {name}\n"]
    blocks += [_member(name, public, getattr(package, public), known) for public in package.__all__]
    return "\n".join(blocks)


def _member(package: str, name: str, thing: object, known: dict[str, ModuleType]) -> str:
    """A public name in the way that suits what it is."""
    if isinstance(thing, ModuleType):
        if thing.__name__ in known:
            return f":doc:`{thing.__name__}`\n   {_summary(thing)}\n"
        return f".. automodule:: {thing.__name__}\n   :members:\n\n.. currentmodule:: {package}\n"
    if inspect.isclass(thing):
        return f".. autoclass:: {name}\n   :members:\n"
    if callable(thing):
        return f".. autofunction:: {name}\n"
    return f".. autodata:: {name}\n   :no-value:\n"
