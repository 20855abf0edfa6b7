"""Rules that a kernel can break at run time (Checks.rule, tensor_rule): a sentence for each."""

from __future__ import annotations

from lanemap.emulator.ptx.lower.abi import Rule

SENTENCES: dict[int, str] = {
    Rule.TRAP: "the kernel stopped itself with trap",
    Rule.BREAKPOINT: "the kernel reached a breakpoint, and there is no debugger",
    Rule.CALL:
        "an indirect call goes to {:#x}, which is the address of no function that it may call",
    Rule.INDEX: "the index {} of brx.idx is beyond its list of targets",
    Rule.MEMBER: "a lane that executes is not in its own member mask",
    Rule.STACK: "the stack of a lane, {} bytes with its .local variables, is used up by calls",
    Rule.ARRIVED: "lanes arrive at the cluster's barrier again before they waited there",
    Rule.WAITED: "lanes wait at the cluster's barrier without having arrived",
    Rule.RETURN: "a function returns to place {} of those that call it, which is none",
    Rule.BARRIER_NUMBER: "there is no barrier {}: a CTA has barriers 0 to 15",
    Rule.BARRIER_COUNT: "the thread count {} is not a multiple of the 32 threads of a warp",
    Rule.BARRIER_THREADS:
        "the thread count {} is more than the {} threads that the CTA has in whole warps",
    Rule.BARRIER_NOBODY: "bar.arrive needs a thread count that is not 0",
    Rule.BARRIER_DIFFERS:
        "the thread count {0} of barrier {2} is not the {1} of the warps that have arrived before",
    Rule.BARRIER_MIXED:
        "bar.red and bar.sync or bar.arrive meet at barrier {2} in one phase, which the ISA leaves "
        "unpredictable",
    Rule.TADDR_DIFFERS: "the lanes of the warp must have the same operand; the first one has {:#x}",
    Rule.QUADRANT: "taddr names lane {}, but warp {} reaches only the 32 lanes from {} on",
    Rule.TENSOR_LANE:
        "the access reaches lane {1} of the warp's 32: taddr's lane is {0}, counted in its "
        "quadrant",
    Rule.TENSOR_COLUMN: "column {} is beyond the 512 columns of tensor memory",
    Rule.UNALLOCATED: "column {} of tensor memory is not allocated",
    Rule.DEALLOCATED: "column {} of tensor memory was deallocated before",
    Rule.OTHER_CTA: "column {} of tensor memory belongs to another CTA on the same SM",
    Rule.ALLOC_COLUMNS: "{} columns: tcgen05.alloc and dealloc take a power of two from 32 to 512",
    Rule.ALLOC_RELINQUISHED: "the CTA relinquished its permit to allocate before",
    Rule.ALLOC_GROWS:
        "{} columns are more than the {} that the CTA allocated last, which the ISA forbids",
    Rule.DEALLOC_ADDRESS: "nothing of this CTA is allocated at taddr {:#x}",
    Rule.DEALLOC_SIZE: "{1} columns are allocated at taddr {0:#x}, not {2}",
    Rule.LEAK:
        "the {} columns from {} on, allocated here by warp {}, are not deallocated when the CTA "
        "ends",
    Rule.DESCRIPTOR_FIXED:
        "{:#x} is no shared-memory descriptor: bits 46-48 must be 0b001, and unused bits 0",
    Rule.DESCRIPTOR_SWIZZLE:
        "swizzle mode {} of the descriptor {:#x} is none for rows of a matrix: 0, 2, 4 and 6 are",
    Rule.DESCRIPTOR_BASE:
        "the descriptor starts at {:#x} with base offset {}: the emulator takes base offset 0, "
        "LBO mode 0, and starts at a multiple of {} bytes, after which the swizzle repeats, or in"
        " its row",
    Rule.COPY_LANE: "taddr names lane {}: tcgen05.cp writes all lanes, from lane 0 on",
    Rule.SHIFT_LANE: "taddr names lane {}: tcgen05.shift needs a multiple of 32 below 128",
    Rule.COMMIT_CTAS:
        "the mask {:#x} of CTAs is empty, or names some that the cluster of {} has not",
    Rule.NO_PEER: "the CTA of rank {} has no peer in its cluster of {}, or the peer has ended",
    Rule.PEER_DIFFERS:
        "the CTA asks for {} columns and its peer for {}, or at another address: both must be the"
        " same",
    Rule.NO_MBARRIER:
        "there is no mbarrier object at shared address {:#x}: mbarrier.init is missing before this",
    Rule.MBARRIER_TOUCHED:
        "shared address {:#x} lies in an mbarrier object, which only mbarrier instructions may "
        "touch",
    Rule.MBARRIER_TWICE:
        "there is an mbarrier object at shared address {:#x} already, which mbarrier.inval must "
        "end",
    Rule.MBARRIER_MANY: "more than {} mbarrier objects in one CTA are not supported",
    Rule.MBARRIER_COUNT: "a count of {} is not from 1 to 1048575",
    Rule.MBARRIER_OVERFLOW:
        "{} arrivals are more than the {} that the phase {} of the mbarrier still expects",
    Rule.MBARRIER_COMPLETES: "the arrival completes the phase, which .noComplete forbids",
    Rule.MBARRIER_TRANSACTIONS: "{} bytes are beyond what an mbarrier counts, 1048575 either way",
    Rule.MBARRIER_PHASE:
        "the state is of phase {}, but the mbarrier is in phase {}: only the phase before may be "
        "asked",
    Rule.MBARRIER_REMOTE:
        "the mbarrier lies in CTA {} of the cluster, and a wait needs one of the own CTA",
}
if missing := set(Rule) - set(SENTENCES):
    raise RuntimeError(f"rules.py has no sentence for {sorted(missing)}")
