"""Sweeps: many independent tasks in this process, on this machine's cores, or on a Ray cluster.

`sweep` says what a sweep is, `task` what one of its tasks is, `executors` and `cluster` run them,
`store` keeps their results, `course` goes through all of a sweep. The sweeps themselves are files
of `lanemap/conformance/sweeps`.
"""
