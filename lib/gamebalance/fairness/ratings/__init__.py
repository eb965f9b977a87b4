"""Strengths of persons beside effects of labels; see `rate`."""
