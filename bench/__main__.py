"""``python -m bench``: our engines beside the programs they replace, alternately, in one run.

What counts is the ratio: both sides run on the same core within seconds of each other, several times in turn, and
only processor time is compared. Seconds are printed for orientation.
"""

import argparse
import os
import sys
from pathlib import Path

from bench import chain, cold, countn, fairness, mafia, multiplayer, pages, peers, reports, sanguosha
from bench.timing import Comparison, left_out
from gamebalance.base.processor import vectors

#: What a user might pick, and why it is not timed here.
LEFT_OUT = {
    "PRISM and TAG": "no packages of PyPI; Storm and PettingZoo stand in their places",
    "Gambit": "to be compiled from its sources; nashpy and OpenSpiel stand in its place",
}
DEFAULT_PEERS = Path(__file__).resolve().parents[2] / "shared" / "peers"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=Path, default=os.environ.get("PEERS") or DEFAULT_PEERS,
                        help="folder with the C sources of the report's programs")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=5, help="times that each pair runs")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds {options.rounds}: 1 or more is needed")
    print(f"Vector instructions: {vectors()}{_other_target()}")
    print(Comparison.heading())
    for part in (sanguosha, chain, mafia, countn, multiplayer, peers, fairness, reports, pages, cold):
        for comparison in part.comparisons(Path(options.peers), options.rounds):
            print(comparison, flush=True)
    for what, why in LEFT_OUT.items():
        left_out(what, why)


def _other_target() -> str:
    """What numba was told to compile for instead of the processor at hand."""
    told = os.environ.get("NUMBA_CPU_NAME")
    return f", kernels compiled as for {told}" if told else ""


if __name__ == "__main__":
    sys.exit(main())
