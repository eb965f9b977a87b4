"""The rules in words: every field of `Rules` and each of its values is there."""

from chapters.mafia import in_words
from gamebalance import mafia
from gamebalance.mafia import Rules


def test_all_fields_and_all_values():
    assert list(in_words.RULES) == list(vars(Rules()))
    head, line, *rows = in_words.appendix().splitlines()
    assert len(rows) == len(in_words.RULES) and head.count("|") == line.count("|") == 4
    for row, (name, (words, values)) in zip(rows, in_words.RULES.items(), strict=True):
        assert row.startswith(f"| {words} | `{name}` | ")
        for value in values if isinstance(values, dict) else ():
            assert f"`{value}`" in row and getattr(Rules(**{name: value}), name) == value
    assert "| 1/2 if nothing is said; 0 to 1 |" in in_words.appendix(["potion"])
    assert in_words.appendix(["half_rule"]).index("`morning`") < in_words.appendix(["half_rule"]).index("`always`")


def test_the_rules_as_told_have_no_names_of_python():
    told = mafia.rules.__doc__.split("\n\n", 1)[1]
    assert "`" not in told and not any(f" {name} " in told for name in ("half_rule", "dead_roles", "may_tell"))


def test_changes():
    assert in_words.changes(Rules()) == ""
    assert in_words.changes(Rules(potion=1, votes="odd days", kills=(1, 2))) == (
        "days with a vote: odd days; chance that the witch uses a potion that she has, in each night: 1; "
        "shots of the mafia in a night: 1, 2"
    )
