"""The C of libnvJitLink.so.13, a stand-in for NVIDIA's linker of PTX."""
