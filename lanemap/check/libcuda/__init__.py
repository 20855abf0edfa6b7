"""The driver API of CUDA: what stands behind the emulator's own libcuda.so.1.

* `serving` does what the library's requests ask, by `cuda_api.calls`.
* `in_process` lets the library ask in a process that lanemap runs in.
* `server` answers a library in another process, whose memory it shares.
* `program` runs a program with the library, and reports; it is `lanemap exec`.
* `images` finds the PTX in what programs load.
"""
