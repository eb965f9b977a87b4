"""The tables of `play_tables` as readers see them: names, percent, two rows of headers."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from chapters.sanguosha.designs.rows import MEASURES, PLAY_NAMES, SCORES, SURVIVAL
from gamebalance.sanguosha.lineup import ROLE_KEYS, Role

if TYPE_CHECKING:
    import pandas

NAMES = [role.english for role in Role]

#: The measures, as tables call them. The lord lives if his side wins, and only then, so his chance stands for both.
LABELS = {
    name: label
    for name, label in zip(
        MEASURES,
        [
            *(f"{name} alive" for name in NAMES),
            "Lord's side wins",
            "Rebel wins",
            "Renegade wins",
            *(f"{name}'s points" for name in NAMES),
            "Bal",
            "Rat",
        ],
        strict=True,
    )
    if name != "win_lord"
}


def _scale(measure: str) -> int:
    """Chances and Bal are shown in percent, points and Rat as they are."""
    return 1 if measure.startswith(("score", "rat")) else 100


def alone_view(alone: "pandas.DataFrame") -> "pandas.DataFrame":
    """`play_tables.one_role_changes` with the own points of who leaves the rule, and what they are more than before."""
    before = alone[alone["who"] == ""].iloc[0]
    found = []
    for row in alone.to_dict("records"):
        who = row["who"]
        own = row[f"score_{who}"] if who else float("nan")
        entry = {
            ("who", ""): Role(ROLE_KEYS.index(who)).english if who else "nobody",
            ("plays by", ""): PLAY_NAMES[row[who or "lord"]],
        }
        entry |= {("alive, %", name): 100 * row[column] for name, column in zip(NAMES, SURVIVAL, strict=True)}
        entry |= {("wins, %", "rebel"): 100 * row["win_rebels"], ("wins, %", "renegade"): 100 * row["win_renegade"]}
        entry |= {("own points", "now"): own, ("own points", "gain"): own - before[f"score_{who}"] if who else own}
        found.append(entry | {("Bal, %", ""): 100 * row["bal"], ("Rat", ""): row["rat"]})
    return _under_two_heads(found)


def parts_view(tables: Mapping[str, "pandas.DataFrame"], heads: Mapping[str, str]) -> "pandas.DataFrame":
    """Parts of variances in percent, one table beside the other, each with its standard deviation.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        Of `play_tables.rules_or_play` or `play_tables.whose_way`, by the header over their columns.
    heads : mapping of str to str
        The columns of parts, and what they are called.
    """
    import pandas

    shown = pandas.DataFrame({("measure", ""): list(LABELS.values())})
    for name, table in tables.items():
        own = table.set_index("measure").loc[list(LABELS)]
        shown[name, "s.d."] = [_scale(measure) * value for measure, value in own["deviation"].items()]
        for column, head in heads.items():
            shown[name, head] = 100 * own[column].to_numpy()
    return shown


def spread_view(groups: Mapping[str, "pandas.DataFrame"]) -> "pandas.DataFrame":
    """Of each group of games how many there are, and the least, the middle and the largest Bal, in percent, and Rat."""
    found = []
    for name, group in groups.items():
        entry = {("games", ""): name, ("number", ""): len(group)}
        for measure, head in (("bal", "Bal, %"), ("rat", "Rat")):
            for what, value in (("least", 0), ("median", 0.5), ("largest", 1)):
                entry[head, what] = _scale(measure) * float(group[measure].quantile(value))
        found.append(entry)
    return _under_two_heads(found)


def moves_view(groups: Mapping[tuple[str, str], "pandas.DataFrame"]) -> "pandas.DataFrame":
    """Standard deviation of each measure over each group of games, by header; of chances and Bal times 100."""
    import pandas

    columns = {("measure", ""): list(LABELS.values())}
    columns |= {head: [_scale(name) * group[name].std(ddof=0) for name in LABELS] for head, group in groups.items()}
    return pandas.DataFrame(columns)


def profile_view(games: Mapping[str, Iterable[Mapping]]) -> "pandas.DataFrame":
    """Rows of `play_tables.play_table` under a name for each group: who plays how, points, chances, Bal and Rat."""
    found = []
    for name, group in games.items():
        for row in group:
            entry = {("", "choice"): name}
            entry |= {("plays by", head): row[key] for head, key in zip(NAMES, ROLE_KEYS, strict=True)}
            entry |= {("points", head): row[column] for head, column in zip(NAMES, SCORES, strict=True)}
            found.append(entry | {("", "Bal, %"): 100 * row["bal"], ("", "Rat"): row["rat"]})
    return _under_two_heads(found)


def _under_two_heads(found: list[dict[tuple[str, str], Any]]) -> "pandas.DataFrame":
    """Rows whose columns stand under two rows of headers."""
    import pandas

    frame = pandas.DataFrame(found)
    frame.columns = pandas.MultiIndex.from_tuples(frame.columns)
    return frame
