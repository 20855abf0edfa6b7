"""Texts made from maps: functions of layouts, typed wrappers of instructions, planned copies."""
