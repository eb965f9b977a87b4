"""Which change of the rules makes four players fair: a grid of changes, and how games end under each of them."""
