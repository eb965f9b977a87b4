"""Layers, nights and towns, for the interpreter or compiled, and the simulator, held to the readable rules by tests."""
