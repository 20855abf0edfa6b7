"""Random programs of asynchronous copies, held against NumPy and run on a GPU."""
