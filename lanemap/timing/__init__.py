"""Timing probes: cycles between two named events, each with the certificates that say why.

`text` writes PTX kernels whose window between two clock reads holds n dependent instructions.
`window` reads the window back from the SASS. `stalls` changes stall counts and barriers of a cubin
and checks whether the result changes. `slope` fits cycles over n.
"""
