"""``gamebalance mafia``: the numbers of the library in three formats; bad input in one line, exit code 2."""

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction

import pytest

from gamebalance import mafia
from gamebalance.commands.main import main


@pytest.fixture
def run(capsys):
    """Run a command line; returns exit code, standard output and standard error."""

    def call(line):
        with pytest.raises(SystemExit) as stop:
            main(["mafia", *(line.split() if isinstance(line, str) else line)])
        return stop.value.code, *capsys.readouterr()

    return call


def test_win_has_the_defaults_of_the_study(run):
    code, out, err = run("win -p 20")
    assert (code, err) == (0, "") and "4 mafiosi, 15 innocents, 1 detective" in out and "0.350901" in out
    record = json.loads(run("win -p 20 -m 3 -d 2 --half-rule always --format json")[1])
    assert record["win_probability"] == mafia.win_probability(3, 15, 2, half_rule="always")
    assert json.loads(run("win -p 4 -m 1 -d 1 --exact --format json")[1])["win_probability"] == "19/27"
    (row,) = csv.DictReader(io.StringIO(run("win -p 20 -d 2 --format csv")[1]))
    assert float(row["win_probability"]) == mafia.win_probability(4, 14, 2) and row["detectives"] == "2"
    witch = mafia.win_probability(1, 2, witches=1, potion=Fraction(1, 3), exact=True)
    assert str(witch) in run("win -p 4 -m 1 -d 0 --witches 1 --potion 1/3 --exact")[1]


def test_table(run):
    table = mafia.win_table(12, 1)
    out = run("table --detectives 1 --players 12")[1]
    assert out.splitlines()[3].split()[1:] == [f"{100 * chance:.1f}%" for chance in table.loc[1]]
    rows = list(csv.DictReader(io.StringIO(run("table -d 1 -p 12 --format csv")[1])))
    assert list(rows[0]) == ["mafiosi", "players", "win_probability", "detectives"]
    assert {(int(row["mafiosi"]), int(row["players"])): float(row["win_probability"]) for row in rows} == {
        place: chance for place, chance in table.stack().items() if chance == chance
    }
    cells = json.loads(run("table -p 5:12 --format json")[1])["cells"]
    assert len(cells) == table.loc[:, 5:].notna().sum().sum()


def test_balance_reads_as_printed(run):
    lines = run("balance --detectives 1:2 --players :30")[1].splitlines()
    assert lines[1].split() == ["2", "0.0%", "(2m,", "0d)*", "100.0%", "(0m,", "1d)"]
    assert lines[-1].startswith("* Nothing in the range") and len(lines) == 32
    assert "*" not in run("balance -p :30")[1]
    assert lines[10].split() == ["11", "44.5%", "(3m,", "2d)", "50.0%", "(2m,", "1d)"]
    record = json.loads(run("balance -d : -p 28:30 --format json")[1])
    assert [row["players"] for row in record] == [28, 29, 30]
    assert record[0]["excess"] == pytest.approx(mafia.balance_table(30, (0, None)).loc[28, "excess"], abs=1e-14)
    assert "none" in run("balance -d 3 -p :4")[1]
    huge = run("balance -d 0:10000000000000000000000 -p :5")[1]
    assert huge == run("balance -d : -p :5")[1]


def test_a_written_set_up_under_rules_as_played(run):
    people = "9: don, mafioso, sheriff, medic, bodyguard, vigilante, 3 citizens"
    written = ["win", "--setup", people, "--format", "json"]
    played = "--half-rule always --phase morning --dead-roles shown --ties nobody --odds 5/2 --kills 1,2".split()
    played += [*"--agreement 0.9 --bullets 2 --shot 3/4 --tells".split(), "at death"]
    record = json.loads(run([*written, *played])[1])
    setup = mafia.Setup(1, 3, doctors=1, dons=1, sheriffs=1, vigilantes=1, bodyguards=1)
    rules = mafia.Rules("always", ties="nobody", odds=2.5, kills=(1, 2), agreement=Fraction(9, 10), tells="at death")
    rules = replace(rules, bullets=2, shot=Fraction(3, 4))
    assert record["win_probability"] == mafia.solve(setup, rules, "morning")
    assert (record["players"], record["sheriffs"], record["odds"], record["kills"]) == (9, 1, "5/2", [1, 2])
    apart = json.loads(run([*written, "--aim", "apart", "--kills", "2"])[1])
    assert apart["win_probability"] == mafia.solve(setup, mafia.Rules(kills=2, aim="apart"))


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("win", "--players"),
        ("win -p 9 --setup 9:wolf", "--players or --setup"),
        ("win --setup 9:wolf --detectives 1", "--setup and --detectives"),
        ("win -p 9 --kills 1;2", "'1;2' is not a number, or several"),
        ("win -p 9 --odds x", "'x' is not a number such as 3, 5/2 or 2.5"),
        ("win -p 9 --witches 1 --potion 1/0", "1/0"),
        ("win -p 2000 --exact", "players = 2000"),
        ("table -p 0:5", "--players: 0"),
        ("balance --players 5:3", "'5:3' is empty"),
        ("balance --players :", "--players"),
        ("table -d 30 -p 10", "detectives = 30"),
        ("table -d 1 -p 100000", "--players: 100000"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, line, named):
    code, out, err = run(line)
    assert code == 2 and out == "" and named in err and len(err.splitlines()) == 1
