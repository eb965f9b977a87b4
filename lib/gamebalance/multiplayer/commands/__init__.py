"""The commands of ``gamebalance multiplayer``, one module each; `gamebalance.multiplayer.cli` gathers them."""
