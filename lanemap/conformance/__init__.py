"""The emulator held against silicon and against assemblers: programs, approximations, forms."""
