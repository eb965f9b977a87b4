"""Words of the glossary become links where they first stand in a chapter."""

from bs4 import BeautifulSoup

from gamebalance.publish.entries import Term
from gamebalance.publish.report.terms import link_terms

GLOSSARY = [
    Term(term="Bal", says="A *measure*."),
    Term(term="best reply", also=["best replies"], says="The best."),
    Term(term="reply", says="An answer."),
]


def linked(html):
    soup = BeautifulSoup(html, "html.parser")
    link_terms(soup, GLOSSARY)
    return soup


def links(html):
    return [(link.string, link["href"]) for link in linked(html).find_all("a", class_="term")]


def test_the_first_place_alone_is_linked():
    assert links("<p>Bal is small.</p><p>Bal again.</p>") == [("Bal", "#term-bal")]
    assert linked("<p>Bal is <em>small</em>.</p>").get_text() == "Bal is small."
    assert linked("<p>Bal</p>").a["title"] == "A measure."


def test_the_longest_form_and_whole_words():
    assert links("<p>Two best replies, a reply; Balance, a-Bal.</p>") == [
        ("best replies", "#term-best-reply"),
        ("reply", "#term-reply"),
    ]


def test_headings_code_tables_links_and_mathematics_are_left_alone():
    for html in ("<h4>Bal</h4>", "<p><code>Bal</code></p>", "<p><a href='#x'>Bal</a></p>", "<p>$Bal$</p>"):
        assert links(html) == [], html
    assert links("<figcaption>Bal</figcaption><table><tr><td><p>reply</p></td></tr></table>") == [("Bal", "#term-bal")]
