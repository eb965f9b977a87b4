"""The compiled half of Sanguosha: chain, simulator and tables, each held to the readable rules by tests."""
