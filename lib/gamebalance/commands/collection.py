"""``gamebalance collection …``: run the notebooks, make the report, keep the README's index right."""

import os
import signal
import sys
from typing import Any

import click

from gamebalance.publish import paths


def _interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


@click.group()
def group() -> None:
    """Run the notebooks, make figures and report, list what there is."""


@group.command()
@click.option("--workers", default=2, show_default=True, help="Notebooks that run side by side.")
@click.option("--force", is_flag=True, help="Run what is up to date, too.")
@click.option("--only", multiple=True, metavar="NAME", help="Only this notebook; may be repeated.")
def figures(workers: int, force: bool, only: tuple[str, ...]) -> None:
    """Bring figures/, data/results/ and the report up to date."""
    from gamebalance.publish import jobs, runner

    signal.signal(signal.SIGTERM, _interrupt)
    project = paths.project()
    os.environ.update(jobs.home(project))
    if not runner.figures(project, _line, workers, force, only):
        sys.exit(1)


@group.command("verify")
@click.option("--workers", default=2, show_default=True, help="Notebooks that run side by side.")
@click.option("--only", multiple=True, metavar="NAME", help="Only this notebook; may be repeated.")
def verify_all(workers: int, only: tuple[str, ...]) -> None:
    """Compute everything again in build/verify and say what came out the same."""
    from gamebalance.publish import verifying

    signal.signal(signal.SIGTERM, _interrupt)
    if not verifying.verify(paths.project(), _line, workers, only):
        sys.exit(1)


@group.command()
@click.argument("name")
@click.argument("assignments", nargs=-1, metavar="[PARAMETER=VALUE]...")
@click.option("-p", "--parameter", multiple=True, metavar="PARAMETER=VALUE", help="The same as a bare assignment.")
def run(name: str, assignments: tuple[str, ...], parameter: tuple[str, ...]) -> None:
    """Execute one notebook with other parameters into build/runs."""
    from gamebalance.publish import runner

    if not runner.run_one(paths.project(), name, [*assignments, *parameter], _line):
        sys.exit(1)


@group.command("heavy")
@click.option("--workers", default=1, show_default=True, help="Processes, where there is no cluster.")
@click.option("--only", multiple=True, metavar="ID", help="Only this table; may be repeated.")
def compute_heavy(workers: int, only: tuple[str, ...]) -> None:
    """Compute what is missing in the tables that take hours; a run that was stopped goes on where it was."""
    from gamebalance.publish import heavy
    from gamebalance.publish.manifest import load

    signal.signal(signal.SIGTERM, _interrupt)
    project = paths.project()
    heavy.run(project, load(project), _line, workers, only)


@group.command("list")
def list_notebooks() -> None:
    """List the notebooks with their questions and expected times, and their items with their ids."""
    from gamebalance.publish.jobs import duration
    from gamebalance.publish.manifest import load

    manifest = load(paths.project())
    for part in manifest.parts:
        click.echo(part.heading)
        for notebook in manifest.of_part(part.key):
            click.echo(f"  {notebook.number:4} {notebook.name:28} {notebook.question} ({duration(notebook.seconds)})")
            for item in notebook.items:
                click.echo(f"  {'':4} {item.label:11}  {item.id}")


@group.command()
def where() -> None:
    """Say which folder the commands work on; refuse if it is not the checkout that they come from."""
    _line(str(paths.project().root))


@group.command()
@click.option("--workers", default=2, show_default=True, help="Processes that make its chapters.")
@click.option("--force", is_flag=True, help="Write it even if nothing changed.")
def report(workers: int, force: bool) -> None:
    """Make figures/report.html from the last full-size runs."""
    from gamebalance.publish import findings, jobs
    from gamebalance.publish import report as maker
    from gamebalance.publish.manifest import load

    project = paths.project()
    os.environ.update(jobs.home(project))
    manifest = load(project)
    missing = maker.missing(project, manifest)
    if missing:
        raise ValueError(f"the report needs a full-size run of {', '.join(missing)}: make figures")
    findings.assemble(project, manifest)
    _line(f"figures/report.html {'written' if maker.build(project, manifest, force, workers) else 'is up to date'}")


@group.command()
@click.option("--check", is_flag=True, help="Write nothing; fail where something is out of date.")
def readme(check: bool) -> None:
    """Write what is made of collection.yaml: README.md, the notebook to start with, the numbers of references."""
    from gamebalance.publish import readme as page
    from gamebalance.publish import references, start
    from gamebalance.publish.manifest import load

    project = paths.project()
    changed = references.update(project, load(project), write=not check)
    changed += ["README.md"] if page.update(project, write=not check) else []
    changed += [f"notebooks/{start.NAME}"] if start.update(project, write=not check) else []
    if check and changed:
        raise ValueError(f"{changed[0]} is out of date: run gamebalance collection readme")
    for path in dict.fromkeys(changed):
        _line(f"{path} written")
    if not changed:
        _line("README.md and all references are up to date")


@group.command()
def translations() -> None:
    """Bring the catalogues in notebooks/locale up to date; what is new stands there empty, what changed is fuzzy."""
    from gamebalance.publish import translations as catalogues
    from gamebalance.publish.languages import KNOWN
    from gamebalance.publish.manifest import load

    project = paths.project()
    manifest = load(project)
    for code in KNOWN:
        if catalogues.read(project, code) is not None:
            catalogues.update(project, manifest, code)
    found = list(catalogues.faults(project, manifest))
    for fault in found:
        _line(fault)
    _line(f"{len(found)} translations are missing" if found else "all translations are there")


def _line(text: str) -> None:
    click.echo(text)
    sys.stdout.flush()
