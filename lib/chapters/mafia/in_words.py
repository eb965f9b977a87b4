"""The rules of Mafia that can be chosen: in words, and by the names and values that the library has for them."""

from collections.abc import Iterable, Mapping

from gamebalance.mafia.rules import AIMS, AS_CODED, DEAD_ROLES, HALF_RULES, TELLS, TIES, VOTES, Rules

#: Each field of `Rules` in words, and its values: what each says, or which numbers there can be.
RULES: dict[str, tuple[str, Mapping[str, str] | str]] = {
    "half_rule": ("half of the living is enough for the mafia", HALF_RULES),
    "votes": ("days with a vote", VOTES),
    "memory": ("detectives remember whom they have cleared", "`True` or `False`"),
    "potion": ("chance that the witch uses a potion that she has, in each night", "0 to 1"),
    "ties": ("who leaves when several have most votes", TIES),
    "odds": ("how many times as likely as anybody else a mafioso is voted out, or shot by the vigilante", "above 0"),
    "kills": ("shots of the mafia in a night", "1 to 5; or several such numbers, for one, two, three … mafiosi alive"),
    "aim": ("how several shots of a night are aimed", AIMS),
    "agreement": ("chance that a mafia that aims together agrees, in each night", "above 0, up to 1"),
    "tells": ("when the sheriff tells what he has learned", TELLS),
    "dead_roles": ("roles of the dead", dict.fromkeys(DEAD_ROLES, "")),
    "bullets": ("bullets of the vigilante", "0 to 9"),
    "shot": ("chance that the vigilante shoots, in each night in which he has a bullet", "0 to 1"),
}


def appendix(names: Iterable[str] = tuple(RULES)) -> str:
    """A table in Markdown, a row for each of these rules: in words, its name, and its values, the default first."""
    rows = ["| rule | field of `Rules` | values |", "|---|---|---|"]
    for name in names:
        words, values = RULES[name]
        default = getattr(AS_CODED, name)
        if isinstance(values, str):
            said = f"{_written(default)} if nothing is said; {values}"
        else:
            order = sorted(values, key=lambda value, default=default: value != default)
            said = "<br>".join(f"`{value}`: {values[value]}" if values[value] else f"`{value}`" for value in order)
        rows.append(f"| {words} | `{name}` | {said} |")
    return "\n".join(rows)


def changes(rules: Rules) -> str:
    """What differs from the rules of the published program, in words.

    >>> changes(Rules("always", memory=True))
    'half of the living is enough for the mafia: always; detectives remember whom they have cleared: yes'
    """
    given = {name: getattr(rules, name) for name in RULES}
    changed = {name: value for name, value in given.items() if value != getattr(AS_CODED, name)}
    return "; ".join(f"{RULES[name][0]}: {_written(value)}" for name, value in changed.items())


def _written(value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
