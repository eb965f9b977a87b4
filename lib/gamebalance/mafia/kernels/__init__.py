"""The compiled half of Mafia: layers, nights and towns, each held to the readable rules by tests."""
