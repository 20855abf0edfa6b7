"""One file per verb: `<verb>.py` holds a function `command`, whose docstring is the verb's help.

`command` is a typer command. It raises `lanemap.errors` for what a user can mend, and returns the
exit status (None for 0). Heavy imports belong inside it, so that other verbs start fast.
"""
