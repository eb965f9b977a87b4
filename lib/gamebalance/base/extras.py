"""What a smaller installation leaves out, and how to get it."""

#: What an extra brings, by the names under which it is imported.
EXTRAS = {
    "lab": "IPython babel bs4 cycler ipykernel ipywidgets jupyter_server jupyterlab matplotlib myst_nb nbclient "
    "nbformat numpydoc papermill pydantic pydata_sphinx_theme seaborn sphinx".split(),
    "xlsx": ["openpyxl"],
}


def remedy(error: Exception) -> str | None:
    """How to get the module that an error says is not installed; None for any other error.

    >>> remedy(ModuleNotFoundError("No module named 'nbformat'", name="nbformat"))
    "nbformat is not installed; it comes with pip install 'gamebalance[lab]'"
    """
    module = error.name.partition(".")[0] if isinstance(error, ModuleNotFoundError) and error.name else None
    for extra, modules in EXTRAS.items():
        if module in modules:
            return f"{module} is not installed; it comes with pip install 'gamebalance[{extra}]'"
    return None
