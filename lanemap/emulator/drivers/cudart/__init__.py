"""The C of libcudart.so.13, a stand-in for NVIDIA's runtime, and the tables that it is made of."""
