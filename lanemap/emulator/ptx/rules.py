"""Rules that a kernel can break at run time, by number (Builder.rule)."""

from __future__ import annotations

SENTENCES = (
    "the kernel stopped itself with trap",
    "the kernel reached a breakpoint, and there is no debugger",
    "an indirect call goes to {:#x}, which is the address of no function that it may call",
    "the index {} of brx.idx is beyond its list of targets",
    "a lane that executes is not in its own member mask",
    "the stack of a lane, {} bytes with its .local variables, is used up by calls",
    "lanes arrive at the cluster's barrier again before they waited there",
    "lanes wait at the cluster's barrier without having arrived",
)
TRAP, BREAKPOINT, CALL, INDEX, MEMBER, STACK, ARRIVED, WAITED = range(len(SENTENCES))
