"""The offline pages by their names: the folder that each is made from, and the texts in its data."""

from pathlib import Path

from chapters import count_n_explorer as explorer
from chapters.fair import page as fair
from chapters.mafia import page as werewolf
from chapters.sanguosha.designs import page as bench

PAGES: dict[str, tuple[Path, list[str]]] = {
    "countn-explorer": (explorer.FOLDER, [preset.name for preset in explorer.PRESETS]),
    "fair": (fair.FOLDER, []),
    "sanguosha-bench": (bench.FOLDER, bench.texts()),
    "werewolf": (werewolf.FOLDER, []),
}
