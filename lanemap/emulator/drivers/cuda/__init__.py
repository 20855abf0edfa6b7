"""The C of libcuda.so.1, a stand-in for NVIDIA's driver, and the tables that it is made of."""
