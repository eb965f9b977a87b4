"""All-in-or-fold Hold'em: printed charts, and more than two players."""
