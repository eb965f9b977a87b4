"""The program ``gamebalance``: what reads the command line takes some time to load, and signals are heard before."""

from gamebalance.commands import interrupts


def program() -> None:
    """Run a command, as `main.main` does, and end the process."""
    interrupts.run(_load_and_run)


def _load_and_run() -> None:
    from gamebalance.commands.main import main

    main()
