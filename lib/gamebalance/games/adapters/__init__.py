"""Other people's games as games of this library: `openspiel` and `pettingzoo`; each needs the extra of its name."""
