"""The C of libnvrtc.so.13: NVIDIA's own NVRTC, whose cubins carry PTX instead of machine code."""
