"""The offline pages as the chapters make them, the bench from a table drawn by lot, and what tests ask of each page."""

from functools import cache
from pathlib import Path

import pandas as pd

from chapters import count_n_explorer, judge_a_table_of_results, mafia_as_it_is_played, the_smallest_fair_change_page
from chapters.ten_at_the_table_rules import agreement
from gamebalance import publish
from gamebalance.publish import translations
from gamebalance.publish.paths import Project
from tests.sanguosha.made_up_designs import made_up

ROOT = Path(__file__).parents[2]
PROJECT = Project(ROOT)
SIZES = range(3, 13)


def werewolf() -> str:
    """With all that was recorded, as chapter 3.5 makes it."""
    first = publish.observed("sport_mafia_seasons")
    agreed = agreement(publish.observed("sport_mafia_first_killed"), first)
    seasons = pd.concat([first, publish.observed("sport_mafia_later_seasons")])
    return mafia_as_it_is_played.page(seasons, agreed, publish.observed("forum_mafia_outcomes"))


MADE = {
    "countn-explorer": lambda: count_n_explorer.page(SIZES),
    "fair": judge_a_table_of_results.page,
    "sanguosha-bench": lambda: the_smallest_fair_change_page.page(made_up()),
    "werewolf": werewolf,
}


@cache
def made(page: str, translated: bool = False) -> str:
    """The text of a page, with its translations if asked for."""
    return translations.filled(PROJECT, page, made(page)) if translated else MADE[page]()


def errors(page) -> list[str]:
    """What is complained of, as it can be seen."""
    return [text for text in page.locator(".error").all_inner_texts() if text]


def switch(page, tag: str) -> None:
    page.click(f".languages button[lang={tag}]")


def go_to(page, hash_: str, shown: str = "() => true", part: str = "") -> None:
    """Another link in the same window, until `shown`, a function of `part`, holds there."""
    page.evaluate("hash => { location.hash = hash; }", hash_)
    page.wait_for_function(shown, arg=part)


def unfold(page) -> None:
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
