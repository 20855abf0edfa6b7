"""The emulator held against silicon and assemblers: programs, approximations, forms, sums."""
