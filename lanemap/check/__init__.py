"""`lanemap check`: a script of Triton or CuTe DSL runs, unedited, on the emulator.

The parts:

* `run` executes the script as `python script.py` would, between the other parts' beginning and end.
* `driver` stands in place of Triton's active driver; `launch` turns a launch of Triton into one of
  the emulator; `autotuning` stands in for whatever would time a kernel.
* `torch_cuda` makes `cuda` mean the host's tensors. It also makes `tensor.data_ptr()` the address
  of the tensor's first element in the emulator's memory, where its storage is adopted
  (`dev.adopt`). Everything that asks for a pointer (Triton, a launch, a tensor map, a script that
  stores pointers in a tensor) therefore gets one that a kernel can follow. There a storage begins
  at a multiple of 256 bytes, as memory from cudaMalloc does, wherever it begins on the host.
  `tensors` knows which tensors are on the GPU and which of their bytes have values, `cuda_module`
  what `torch.cuda` answers.
* `cuda_api` serves CUDA's own calls, and `cute` has CuTe DSL's launches and memory come to them;
  `imports` changes their modules when the script imports them.
* `gpu_libraries` stands in for Triton's profiler and for cuBLAS.

Triton, CuTe DSL and PyTorch are imported inside this package only, and only when a script is
checked.
"""
