"""The memory model: which accesses are ordered, and what is known to be complete.

Its C lies between the runtime, which asks it by memory_model.h, and the front ends. It knows the
terms of the field, such as proxy and mbarrier, and no instruction of any instruction set.
"""
