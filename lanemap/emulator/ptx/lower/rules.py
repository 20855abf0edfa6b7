"""Rules that a kernel can break at run time, by number (Checks.rule)."""

from __future__ import annotations

_OF_INSTRUCTIONS = (
    "the kernel stopped itself with trap",
    "the kernel reached a breakpoint, and there is no debugger",
    "an indirect call goes to {:#x}, which is the address of no function that it may call",
    "the index {} of brx.idx is beyond its list of targets",
    "a lane that executes is not in its own member mask",
    "the stack of a lane, {} bytes with its .local variables, is used up by calls",
    "lanes arrive at the cluster's barrier again before they waited there",
    "lanes wait at the cluster's barrier without having arrived",
)
TRAP, BREAKPOINT, CALL, INDEX, MEMBER, STACK, ARRIVED, WAITED = range(8)

#: Rules that runtime/tensor*.c finds broken, numbered in tensor.h from FIRST_TENSOR on.
_OF_TENSOR_MEMORY = (
    "the lanes of the warp must have the same operand; the first one has {:#x}",
    "taddr names lane {}, but warp {} reaches only the 32 lanes from {} on",
    "the access reaches lane {1} of the warp's 32: taddr's lane is {0}, counted in its quadrant",
    "column {} is beyond the 512 columns of tensor memory",
    "column {} of tensor memory is not allocated",
    "column {} of tensor memory was deallocated before",
    "column {} of tensor memory belongs to another CTA on the same SM",
    "{} columns: tcgen05.alloc and dealloc take a power of two from 32 to 512",
    "the CTA relinquished its permit to allocate before",
    "{} columns are more than the {} that the CTA allocated last, which the ISA forbids",
    "nothing of this CTA is allocated at taddr {:#x}",
    "{1} columns are allocated at taddr {0:#x}, not {2}",
    "the {} columns from {} on, allocated here by warp {}, are not deallocated when the CTA ends",
    "{:#x} is no shared-memory descriptor: bits 46-48 must be 0b001, and unused bits 0",
    "swizzle mode {} of the descriptor {:#x} is none for rows of a matrix: 0, 2, 4 and 6 are",
    "the descriptor starts at {:#x} with base offset {}: the emulator takes base offset 0, LBO "
    "mode 0, and starts at a multiple of {} bytes, after which the swizzle repeats, or in its row",
    "taddr names lane {}: tcgen05.cp writes all lanes, from lane 0 on",
    "taddr names lane {}: tcgen05.shift needs a multiple of 32 below 128",
    "the mask {:#x} of CTAs is empty, or names some that the cluster of {} has not",
    "the CTA of rank {} has no peer in its cluster of {}, or the peer has ended",
    "the CTA asks for {} columns and its peer for {}, or at another address: both must be the same",
)
#: The same for runtime/mbarrier.c and mbarrier.h.
_OF_MBARRIERS = (
    "there is no mbarrier object at shared address {:#x}: mbarrier.init is missing before this",
    "shared address {:#x} lies in an mbarrier object, which only mbarrier instructions may touch",
    "there is an mbarrier object at shared address {:#x} already, which mbarrier.inval must end",
    "more than {} mbarrier objects in one CTA are not supported",
    "a count of {} is not from 1 to 1048575",
    "{} arrivals are more than the {} that the phase {} of the mbarrier still expects",
    "the arrival completes the phase, which .noComplete forbids",
    "{} bytes are beyond what an mbarrier counts, 1048575 either way",
    "the state is of phase {}, but the mbarrier is in phase {}: only the phase before may be asked",
    "the mbarrier lies in CTA {} of the cluster, and a wait needs one of the own CTA",
)
FIRST_TENSOR, FIRST_MBARRIER = 32, 64
TADDR_DIFFERS = FIRST_TENSOR


def _numbered(*groups: tuple[int, tuple[str, ...]]) -> tuple[str, ...]:
    sentences: list[str] = []
    for first, group in groups:
        sentences += ("",) * (first - len(sentences))
        sentences += group
    return tuple(sentences)


SENTENCES = _numbered(
    (0, _OF_INSTRUCTIONS), (FIRST_TENSOR, _OF_TENSOR_MEMORY), (FIRST_MBARRIER, _OF_MBARRIERS)
)
