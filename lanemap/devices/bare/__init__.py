"""GPUs through Python's standard library and the vendor's driver alone, for any Python from 3.8 on.

Capsules carry these files to machines that have nothing else, so they import nothing else.
"""
