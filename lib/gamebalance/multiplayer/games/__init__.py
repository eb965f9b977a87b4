"""Textbook games with known answers: examples for the algorithms, and what tests check them against."""
