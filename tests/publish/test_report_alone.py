"""The report needs no other file: it holds its data, leads nowhere else, and lets nothing but its own scripts run."""

import base64
import hashlib
import re
import shutil
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from gamebalance.publish import manifest
from gamebalance.publish.paths import Project
from gamebalance.publish.report import embedded, inside
from gamebalance.publish.report.policy import policy
from tests.refusals import refused

ROOT = Path(__file__).resolve().parents[2]
#: Scripts, and code that is only shown.
SHOWN = re.compile(r"<script>.*?</script>|<pre.*?</pre>", re.DOTALL)
#: Tries to run a script of its own.
FOREIGN = """() => {
    document.body.append(Object.assign(document.createElement("script"), { text: "window.foreign = 1" }));
    return window.foreign;
}"""


@pytest.fixture(scope="module")
def page(ran_for_reading) -> BeautifulSoup:
    return BeautifulSoup((ran_for_reading.figures / "report.html").read_text(encoding="utf-8"), "html.parser")


def held(address: str) -> bytes:
    """What an address holds, as a browser reads it: without line breaks, signs by their codes."""
    head, _, content = address.partition(",")
    if head.endswith(";base64"):
        return base64.b64decode(content)
    return unquote(re.sub(r"[\t\r\n]", "", content.partition("#")[0])).encode()


def test_it_holds_the_files_that_it_offers(page, ran_for_reading):
    links = {link["download"]: held(link["href"]) for link in page.select("a[download]")}
    names = [f"tiny-{kind}-1.{suffix}" for kind in ("table", "figure") for suffix in ("csv", "json")]
    assert set(links) == {*names, "findings.csv"}
    assert all(content == (ran_for_reading.results / name).read_bytes() for name, content in links.items())


@pytest.mark.parametrize("text", ["a,b\r\n1,2\n", 'say "100%" & <b>#1</b>\tend\n', "主公,é,≤ 3\n", ""])
def test_any_text_comes_out_of_its_address(tmp_path, text):
    (tmp_path / "x.csv").write_bytes(text.encode())
    address = embedded.data_uri(tmp_path / "x.csv")
    link = BeautifulSoup(f'<a href="{address}"></a>', "html.parser").a["href"]
    assert held(link) == text.encode()


def test_a_drawing_in_an_address_is_the_same_drawing(tmp_path):
    drawing = (
        "<?xml version='1.0'?>\n<!DOCTYPE svg>\n"
        '<svg xmlns="http://www.w3.org/2000/svg">\n <!-- "unseen" -->\n <metadata>when</metadata>\n'
        """ <path style="fill: #fff; font: 'A B'" d="M 1 2\nL 3 4"/>\n <text>it's "5%" &amp; #6</text>\n</svg>\n"""
    )
    (tmp_path / "x.svg").write_text(drawing, encoding="utf-8")
    address = embedded.data_uri(tmp_path / "x.svg")
    root = ElementTree.fromstring(held(BeautifulSoup(f'<img src="{address}">', "html.parser").img["src"]))
    path, text = root
    assert path.attrib == {"style": "fill: #fff; font: 'A B'", "d": "M 1 2 L 3 4"}
    assert text.text == """it's "5%" & #6""" and '"' not in address and "unseen" not in address


def test_a_file_longer_than_an_address_is_refused(tmp_path):
    (tmp_path / "long.csv").write_text("1" * embedded.LONGEST)
    with refused("long.csv", "2,000,000 bytes"):
        embedded.files(Project(tmp_path), ["long.csv"])


def test_links_lead_into_the_report_or_are_paths(ran_for_reading):
    content = manifest.load(ran_for_reading)
    text = (
        '<a href="02-a-picture.ipynb">one</a> <a href="../../data/results/tiny-table-1.csv">two</a>, '
        '<a href="../../lib/x.py">three</a>, <a href="../../lib/x.py"><code>lib/x.py</code></a>, '
        '<a href="https://a.org/x">four</a>, <a href="#top">5 < 6</a>'
    )
    assert inside.settled(text, content, "notebooks/tiny") == (
        '<a href="#a-picture">one</a> <a href="#tiny-table-1">two</a>, three (<code>lib/x.py</code>), '
        '<code>lib/x.py</code>, <a href="https://a.org/x">four</a>, <a href="#top">5 &lt; 6</a>'
    )


def test_the_policy_names_every_script_and_nothing_else(page):
    said = dict(rule.split(" ", 1) for rule in page.find("meta", attrs={"http-equiv": True})["content"].split("; "))
    hashes = {
        f"'sha256-{base64.b64encode(hashlib.sha256(script.string.encode()).digest()).decode()}'"
        for script in page.find_all("script")
    }
    assert set(said["script-src"].split()) == hashes and len(hashes) == 5
    assert said["default-src"] == "'none'" and said["img-src"] == said["font-src"] == "data:"


def test_the_policy_names_the_scripts_of_framed_pages():
    framed = policy('<iframe srcdoc="&lt;script&gt;1 &amp;&amp; &quot;2&quot;&lt;/script&gt;"></iframe>')
    assert framed == policy('<script>1 && "2"</script>') != policy("")
    assert "script-src 'none'" in policy("<p>no script</p>")


def test_nothing_of_the_committed_report_leads_out_of_it():
    text = (ROOT / "figures/report.html").read_text(encoding="utf-8")
    tags = re.findall(
        r"<(?:a|img|iframe|link|script)\s[^>]*",
        SHOWN.sub("", text),
    )
    addresses = [found for tag in tags for found in re.findall(r'\s(?:href|src)="([^"]{0,200})', tag)]
    assert len(addresses) > 500
    assert [each for each in addresses if not each.startswith(("#", "https://", "http://", "data:"))] == []


@pytest.mark.browser
def test_far_from_the_collection_it_saves_data_and_pictures(ran_for_reading, window, tmp_path):
    complaints = []
    window.on("console", lambda message: complaints.append(message.text))
    shutil.copy(ran_for_reading.figures / "report.html", tmp_path / "alone.html")
    window.goto((tmp_path / "alone.html").as_uri())
    for name in ("Data (CSV) of Table 1.1", "Record (JSON) of Figure 1.1"):
        link = window.get_by_role("link", name=name)
        with window.expect_download() as saved:
            link.click()
        file = ran_for_reading.results / link.get_attribute("download")
        assert saved.value.suggested_filename == file.name and saved.value.path().read_bytes() == file.read_bytes()
    with window.expect_download() as saved:
        window.get_by_role("button", name="Picture (SVG) of Figure 1.1").click()
    assert saved.value.suggested_filename == "tiny-figure-1.svg"
    assert ElementTree.parse(saved.value.path()).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert window.evaluate(FOREIGN) is None
    assert len(complaints) == 1 and "Content Security Policy" in complaints[0]
