"""CuPy without a GPU: a `cupy` over NumPy, whose kernels run on the emulator.

CuPy itself is not needed. It is linked with NVIDIA's runtime library, so it cannot be given another
driver by public means. Its kernels are sources, so they can be given another compiler.

* `arrays` has `cupy.ndarray`: memory of the host that the emulator adopts.
* `calls` hands every routine that NumPy has to NumPy; `names` lists those that CuPy 14 has.
* `sources` compiles CUDA C++ with NVRTC and says which line of the script a line of it is.
* `raw`, `elementwise` and `reduction` are the kernels that users write.
* `cuda` has devices, streams, events and memory; `extras` is `cupyx`.
* `session` puts the modules in place while a script is checked.
"""
