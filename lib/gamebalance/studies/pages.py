"""The offline pages by their names: the folder that each is made from, and the texts in its data."""

from pathlib import Path

from gamebalance.studies.countn import explorer
from gamebalance.studies.fair import page as fair
from gamebalance.studies.mafia import page as werewolf
from gamebalance.studies.sanguosha.designs import page as bench

PAGES: dict[str, tuple[Path, list[str]]] = {
    "countn-explorer": (explorer.FOLDER, explorer.texts()),
    "fair": (fair.FOLDER, []),
    "sanguosha-bench": (bench.FOLDER, bench.texts()),
    "werewolf": (werewolf.FOLDER, []),
}
