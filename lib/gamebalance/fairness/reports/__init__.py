"""What the rules of a game say, without any results: see `report`."""
