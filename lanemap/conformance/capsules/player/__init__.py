"""What a capsule runs on a stranger's machine: Python's standard library, from Python 3.8 on."""
