"""CUDA's API without a GPU: the calls that scripts and their libraries make, served in one place.

* `calls` does what they ask: memory, libraries of kernels, launches, streams, events, graphs.
* `attributes` answers what the GPU is.
* `bindings` puts the calls in the place of those of the package cuda-bindings, in this process.

Whoever else lets a library call CUDA comes to `calls` too, as `lanemap.check.cute` does.
"""
