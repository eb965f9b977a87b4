"""Slow and plain ways to the same answers, that the tests hold the library to."""
