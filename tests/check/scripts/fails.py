"""Ends in the way that its argument says."""

import sys

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def guarded(x_ptr, limit, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.device_assert(x < limit, "too large")
    tl.store(x_ptr + tl.arange(0, BLOCK), x + 1)


@triton.jit
def unknown(x_ptr):
    text: tl.constexpr = "multimem.red.relaxed.gpu.global.add.u32 [$1], 1; mov.u32 $0, 0;"
    tl.inline_asm_elementwise(text, "=r,l", [x_ptr.to(tl.int64)], tl.int32, False, 1)


def inner():
    x = torch.ones(32, device=DEVICE)
    match sys.argv[1]:
        case "assert":
            assert x.sum().item() == 31, "the sum is wrong"
        case "status":
            sys.exit(7)
        case "message":
            sys.exit("nothing to do")
        case "leave":
            sys.exit()
        case "host tensor":
            guarded[(1,)](torch.ones(32), 2, BLOCK=32)
        case "device assert":
            guarded[(1,)](x, 1, BLOCK=32, debug=True)
        case "caught":
            try:
                guarded[(1,)](x, 1, BLOCK=32, debug=True)
            except Exception as error:
                print("caught", type(error).__name__)
        case "unsupported" | "unsupported, and caught":
            try:
                unknown[(1,)](x)
            except Exception:
                if sys.argv[1] == "unsupported":
                    raise
        case "compile":
            guarded[(1,)](x, 2, BLOCK=33)


inner()
