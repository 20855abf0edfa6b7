"""The emulator: executes the PTX and AMDGCN assembly that the hardware would.

Use it through `lanemap.emulator.api`.
"""
