"""The points on which text and programs disagree as rule sets, and contrasts between them."""

from collections.abc import Mapping
from dataclasses import replace

from gamebalance.base.checks import shown
from gamebalance.sanguosha.rules import AS_CODED, AS_WRITTEN

#: The programs' rules with one point changed to what the text says: snatch reaches neighbours only (§2.6.2); a
#: snatched weapon goes to the hand and is lost (§4.2.2); a revealed rebel who cannot reach the lord attacks a renegade
#: in reach (§4.2.1); four random cards instead of two dodges (§3, equation 3.2).
SINGLE_CHANGES = {
    "short snatch": replace(AS_CODED, snatch_any_distance=False),
    "weapon lost": replace(AS_CODED, stolen_weapon_equipped=False),
    "renegade attacked": replace(AS_CODED, rebels_attack_renegades=True),
    "four cards": replace(AS_CODED, opening="four cards"),
}

#: What "as written" consists of. The text overrides its own four cards in §4.1, so they are not part of it.
PARTS_AS_WRITTEN = ("short snatch", "weapon lost", "renegade attacked")

#: Every rule set that is compared, the programs' own first.
RULE_SETS = {
    "as coded": AS_CODED,
    **SINGLE_CHANGES,
    "as written": AS_WRITTEN,
    "as written, four cards": replace(AS_WRITTEN, opening="four cards"),
}


def difference(name: str) -> dict[str, float]:
    """Weights of the contrast "rule set `name` minus the programs' own".

    Examples
    --------
    >>> difference("four cards")
    {'four cards': 1.0, 'as coded': -1.0}
    """
    return {name: 1.0, "as coded": -1.0} if name != "as coded" else {}


def interaction() -> dict[str, float]:
    """Weights of what the effects of `PARTS_AS_WRITTEN`, each alone, leave unexplained of that of "as written"."""
    return {"as written": 1.0, **dict.fromkeys(PARTS_AS_WRITTEN, -1.0), "as coded": len(PARTS_AS_WRITTEN) - 1.0}


def check_names(weights: Mapping[str, float], known: Mapping[str, object]) -> None:
    """ValueError if there is no weight, or one for a rule set that is not known."""
    unknown = [name for name in weights if name not in known]
    if unknown or not weights:
        raise ValueError(f"weights = {shown(dict(weights))}: rule sets among {', '.join(known)} are needed")
