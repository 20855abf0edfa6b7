"""CUDA's API without a GPU: the calls that scripts and their libraries make, served in one place.

* `calls` does what they ask: memory, libraries of kernels, launches, streams, events, graphs.
* `attributes` answers what the GPU is.
* `bindings` puts the calls in the place of those of the package cuda-bindings, in this process.

Other stand-ins for CUDA, such as `lanemap.check.cute`, use `calls` too.
"""
