"""CuTe DSL without a GPU: its compiler as it is, its runtime library replaced by the emulator.

* `session` prepares the process before the script imports CuTe DSL: settings, import hooks.
* `compiling` has the compiler hand over PTX in place of machine code.
* `shims` serves the calls that come through the stand-in of the runtime library
  (lanemap/emulator/drivers/cute_dsl_runtime.c), by `lanemap.check.cuda_api.calls`.
"""
