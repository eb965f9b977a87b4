"""What all other rooms stand on: checks of arguments, announcements, workers, rounding, sums, compiled kernels."""
