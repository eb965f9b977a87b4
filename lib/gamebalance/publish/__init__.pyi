# What type checkers read in place of the table of lazy_loader; tests/test_wheel.py compares the two.
from gamebalance.publish import style as style
from gamebalance.publish.book import Book as Book
from gamebalance.publish.book import source as source
from gamebalance.publish.printed import observed as observed
from gamebalance.publish.printed import published as published
from gamebalance.publish.progress_bar import progress as progress
