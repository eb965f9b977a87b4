"""The command line, ``gamebalance …``: the only room that imports both the science and the press."""
