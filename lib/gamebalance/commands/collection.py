"""``gamebalance collection …``: run the notebooks, make the report, keep the README's index right."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import click

from gamebalance.commands import forms, interrupts
from gamebalance.publish import paths


def _names_of(kind: str, name: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """What a shell offers: the names of the manifest's entries of a kind that begin as typed; none outside."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
        try:
            known = [getattr(entry, name) for entry in getattr(_loaded()[1], kind)]
        except (OSError, ValueError):
            return []
        return [each for each in known if each.startswith(incomplete)]

    return complete


def _workers(help: str, default: int = 2) -> Callable:
    return click.option("--workers", default=default, show_default=True, help=help)


_NOTEBOOK = _names_of("notebooks", "name")
_ONLY = click.option("--only", multiple=True, metavar="NAME", shell_complete=_NOTEBOOK,
                     help="Only this notebook; may be repeated.")  # fmt: skip


@click.group()
def group() -> None:
    """Run the notebooks, make figures and report, list what there is."""
    interrupts.patience = 10  # kernels are given 5 s to end


@group.command()
@_workers("Notebooks that run side by side.")
@click.option("--force", is_flag=True, help="Run what is up to date, too.")
@_ONLY
def figures(workers: int, force: bool, only: tuple[str, ...]) -> None:
    """Bring figures/, data/results/ and the report up to date."""
    from gamebalance.publish import jobs, runner

    signal.signal(signal.SIGTERM, interrupts.interrupt)
    project = paths.project()
    os.environ.update(jobs.home(project))
    if not runner.figures(project, _line, workers, force, only):
        sys.exit(1)


@group.command("verify", short_help="Compute all of it again, and compare.")
@_workers("Notebooks that run side by side.")
@_ONLY
@forms.option()
def verify_all(workers: int, only: tuple[str, ...], form: str) -> None:
    """Compute everything again in build/verify and say what came out the same.

    As CSV or JSON it is a row for each result, when all is done; what is said on the way goes to standard error then.
    """
    from gamebalance.publish import verifying

    signal.signal(signal.SIGTERM, interrupts.interrupt)
    say = _line if form == "text" else lambda text: click.echo(text, err=True)
    same, verdicts = verifying.verify(paths.project(), say, workers, only)
    if form != "text":
        found = [(notebook, *each) for notebook, results in verdicts.items() for each in results.items()]
        _write(form, [dict(zip(("notebook", "result", "verdict"), each, strict=True)) for each in found])
    if not same:
        sys.exit(1)


@group.command()
@click.argument("name", shell_complete=_NOTEBOOK)
@click.argument("assignments", nargs=-1, metavar="[PARAMETER=VALUE]...")
@click.option("-p", "--parameter", multiple=True, metavar="PARAMETER=VALUE", help="The same as a bare assignment.")
def run(name: str, assignments: tuple[str, ...], parameter: tuple[str, ...]) -> None:
    """Execute one notebook with other parameters into build/runs."""
    from gamebalance.publish import runner

    if not runner.run_one(paths.project(), name, [*assignments, *parameter], _line):
        sys.exit(1)


@group.command("heavy", short_help="Compute the tables that take hours.")
@_workers("Processes, where there is no cluster.", default=1)
@click.option("--only", multiple=True, metavar="ID", shell_complete=_names_of("heavy", "id"),
              help="Only this table; may be repeated.")  # fmt: skip
def compute_heavy(workers: int, only: tuple[str, ...]) -> None:
    """Compute what is missing in the tables that take hours; a run that was stopped goes on where it was."""
    from gamebalance.publish import heavy, runner

    signal.signal(signal.SIGTERM, interrupts.interrupt)
    project = paths.project()
    with runner.alone(project):
        heavy.run(*_loaded(), _line, workers, only)


@group.command("list", short_help="List the notebooks, figures and tables.")
@forms.option()
def list_notebooks(form: str) -> None:
    """List the notebooks with their questions and expected times, and their items with their ids."""
    from gamebalance.publish.jobs import duration

    _, manifest = _loaded()
    if form != "text":
        _write(form, [_entry(notebook, item) for notebook in manifest.notebooks for item in notebook.items or [None]])
        return
    for part in manifest.parts:
        click.echo(part.heading)
        for notebook in manifest.of_part(part.key):
            click.echo(f"  {notebook.number:4} {notebook.name:28} {notebook.question} ({duration(notebook.seconds)})")
            for item in notebook.items:
                click.echo(f"  {'':4} {item.label:11}  {item.id}")


@group.command(short_help="Say which folder the commands work on.")
def where() -> None:
    """Say which folder the commands work on; refuse if it is not the checkout that they come from."""
    _line(str(paths.project().root))


@group.command()
@_workers("Processes that make its chapters.")
@click.option("--force", is_flag=True, help="Write it even if nothing changed.")
def report(workers: int, force: bool) -> None:
    """Make figures/report.html from the last full-size runs."""
    from gamebalance.publish.site import onefile

    written = onefile.build(*_full("report"), force, workers)
    _line(f"figures/report.html {'written' if written else 'is up to date'}")


@group.command(short_help="Make build/site/html, a web site.")
@_workers("Processes that read and write the pages.")
def site(workers: int) -> None:
    """Make build/site/html, a web site, from the last full-size runs."""
    from gamebalance.publish import records
    from gamebalance.publish import site as pages

    project, manifest = _full("site")
    records.check_report(project)
    folder, warnings = pages.build(project, manifest, workers)
    for line in warnings:
        click.echo(line, err=True)
    _line(f"{project.relative(folder)}/index.html written")


@group.command(short_help="Write README.md's first page and all references.")
@click.option("--check", is_flag=True, help="Write nothing; fail where something is out of date.")
def readme(check: bool) -> None:
    """Write what is made of collection.yaml: README.md, the notebook to start with, the numbers of references."""
    from gamebalance.publish import front, records

    project, manifest = _loaded()
    records.check(project, manifest, "README.md", manifest.on_front())
    changed = front.update(project, front.references(project, manifest), write=not check)
    changed += front.update(project, front.made(project, manifest), write=not check)
    if check and changed:
        raise ValueError(f"{changed[0]} is out of date: run gamebalance collection readme")
    for path in dict.fromkeys(changed):
        _line(f"{path} written")
    if not changed:
        _line("README.md and all references are up to date")


@group.command(short_help="Bring the catalogues of translations up to date.")
def translations() -> None:
    """Bring the catalogues in notebooks/locale up to date: what is new is empty there, what changed is marked fuzzy."""
    from pkgutil import resolve_name

    from gamebalance.publish import translations

    project, manifest = _loaded()
    pages = {
        name: texts for name, texts in resolve_name("chapters.pages:every")().items() if (project.pages / name).is_dir()
    }
    faults = translations.update_all(project, manifest, pages)
    for fault in faults:
        _line(fault)
    _line(f"{len(faults)} translations are missing" if faults else "all translations are there")


def _loaded() -> tuple[Any, Any]:
    """The project and its manifest."""
    from gamebalance.publish.manifest import load

    project = paths.project()
    return project, load(project)


def _full(what: str) -> tuple[Any, Any]:
    """The project and its manifest, if all results are those of a full run; ValueError that names what is not."""
    from gamebalance.publish import findings, jobs, records

    project, manifest = _loaded()
    records.check(project, manifest, f"the {what}")
    os.environ.update(jobs.home(project))
    findings.assemble(project, manifest)
    return project, manifest


def _entry(notebook: Any, item: Any) -> dict[str, Any]:
    """A notebook, and one of its items if it has any."""
    about = {"part": notebook.part, "chapter": notebook.number, "notebook": notebook.name}
    about |= {name: getattr(notebook, name) for name in ("question", "seconds", "megabytes")}
    return about | {name: getattr(item, name, None) for name in ("id", "kind", "label", "title")}


def _write(form: str, rows: list[dict[str, Any]]) -> None:
    """Rows as CSV or JSON."""
    import pandas

    forms.echo(form, str, lambda: pandas.DataFrame(rows), lambda: rows)


def _line(text: str) -> None:
    click.echo(text)
    sys.stdout.flush()
