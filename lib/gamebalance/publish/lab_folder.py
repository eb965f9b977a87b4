"""The folder in ``build/`` that JupyterLab has to itself: what it is set to at first, what a reader changes, its logs.

Nothing of the reader's home is written. Of what stands there only the settings of the server are read: its address,
its password.
"""

import os
from pathlib import Path

from jupyter_core.paths import jupyter_config_dir

from gamebalance.publish import files
from gamebalance.publish.paths import PACKAGE, Project

#: What JupyterLab is set to until a reader sets it differently: it asks nobody for news, saves a notebook over the
#: outputs of its full run only when it is told to, has no buttons in texts, and offers no trust in an HTML file
#: beyond that of `EXTENSIONS`.
DEFAULTS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/apputils-extension:sanitizer": {"allowCommandLinker": False},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    "@jupyterlab/htmlviewer-extension:plugin": {"toolbar": [{"name": "trust", "disabled": True}]},
}
#: An HTML file runs its script, which reaches nothing else. No chart of Vega is drawn: it may read what JupyterLab may
#: and send it anywhere, even from a notebook that is not trusted.
EXTENSIONS = PACKAGE / "publish" / "assets" / "labextensions"
#: The Chinese characters of the project, for readers whose system has none; not loaded before one is shown.
FONT = PACKAGE / "publish" / "assets" / "NotoSansCJKsc-subset.woff"
#: The fonts of JupyterLab's own themes, and ours; a theme or a setting that names others has its way.
STYLE = """\
@font-face {
  font-family: "Collection CJK";
  src: url("chinese.woff") format("woff");
  unicode-range: U+2E80-9FFF, U+FF00-FFEF;
}
:root:root {
  --jp-ui-font-family: system-ui, -apple-system, BlinkMacSystemFont, "Segoe UI", Helvetica, Arial, "Collection CJK",
    sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol";
  --jp-content-font-family: var(--jp-ui-font-family);
  --jp-code-font-family-default: Menlo, Consolas, "DejaVu Sans Mono", "Collection CJK", monospace;
}
"""


def prepared(where: Project) -> dict[str, str]:
    """Write what JupyterLab is to find; return the options that name it, and set the environment of this process."""
    own = folder(where)
    files.write_json(own / "defaults" / "overrides.json", DEFAULTS)
    files.write(own / "config" / "custom" / "custom.css", STYLE)
    files.write(own / "config" / "custom" / "chinese.woff", FONT.read_bytes())
    if (theirs := Path(jupyter_config_dir())) != own / "config":
        paths = [str(theirs), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
        os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(paths)
    os.environ |= {"JUPYTER_CONFIG_DIR": str(own / "config"), "JUPYTER_DATA_DIR": str(own / "data")}
    return {
        "LabApp.app_settings_dir": str(own / "defaults"),
        "LabApp.custom_css": "True",
        "LabApp.extra_labextensions_path": str(EXTENSIONS),
        "LabApp.extension_manager": "readonly",  # the other one asks PyPI
        "LanguageServerManager.autodetect": "False",  # looks for them through npm
        **{f"NotebookNotary.{name}": value for name, value in signatures(where).items()},
    }


def folder(where: Project) -> Path:
    """Return the folder, which is there then."""
    own = where.build / "jupyter"
    own.mkdir(parents=True, exist_ok=True)
    return own


def signatures(where: Project) -> dict[str, str]:
    """Return where the signatures of notebooks are kept, and the secret they are made with."""
    return {"db_file": str(folder(where) / "trusted.db"), "secret_file": str(folder(where) / "secret")}
