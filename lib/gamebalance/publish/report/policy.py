"""What the report lets a browser do: run its own scripts, show what it holds, and fetch nothing."""

import base64
import hashlib
import html
import re

SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
FRAME = re.compile(r'\ssrcdoc="([^"]*)"')


def policy(document: str) -> str:
    """The Content-Security-Policy of an HTML document: the hashes of its scripts, and of those of the pages in it.

    A page in a frame by ``srcdoc`` obeys the policy of the document around it besides its own.
    """
    pages = [document, *(html.unescape(content) for content in FRAME.findall(SCRIPT.sub("", document)))]
    hashes = dict.fromkeys(_hash(script) for page in pages for script in SCRIPT.findall(page))
    return "; ".join(
        [
            "default-src 'none'",
            "script-src " + (" ".join(hashes) or "'none'"),
            "style-src 'unsafe-inline'",
            "img-src data:",
            "font-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _hash(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
