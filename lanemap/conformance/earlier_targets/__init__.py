"""Texts of sm_75 to sm_90 on a GPU of sm_90 and on the emulator of that GPU."""
