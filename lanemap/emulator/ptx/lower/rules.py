"""Rules that a kernel can break at run time (Checks.rule, tensor_rule): a sentence for each."""

from __future__ import annotations

from lanemap.emulator.ptx.lower.abi import Rule

_FLOATS = "E4M3 = 0, E5M2 = 1, E2M3 = 3, E3M2 = 4 and E2M1 = 5"
_MMA_TYPES = {
    "f16": "F16 = 0 and BF16 = 1", "tf32": "TF32 = 2", "f8f6f4": _FLOATS, "i8": "U8 = 0 and S8 = 1",
    "mxf8f6f4": _FLOATS, "mxf4": "E2M1 = 1", "mxf4nvf4": "E2M1 = 1",
}  # fmt: skip
_MMA_RESULTS = {
    "f16": "F16 = 0 and F32 = 1", "tf32": "F32 = 1", "f8f6f4": "F16 = 0 and F32 = 1",
    "i8": "S32 = 2",
}  # fmt: skip
_MMA_ID = (
    "the instruction descriptor has the scale factor ID {{0}} of {} (bits {}), but with "
    "scale_vec::{{1}}X it must be a multiple of {{1}}"
)
SENTENCES: dict[int, str] = {
    Rule.TRAP: "the kernel stopped itself with trap",
    Rule.BREAKPOINT: "the kernel reached a breakpoint, and there is no debugger",
    Rule.CALL:
        "the target {:#x} of an indirect call is not the address of a function that it may call",
    Rule.INDEX: "the index {} of brx.idx is past the end of its list of targets",
    Rule.MEMBER: "an active lane is not in its own member mask",
    Rule.STACK: "calls overflow the stack of a lane, {} bytes with .local variables",
    Rule.ARRIVED: "lanes arrive at the cluster barrier again without a wait in between",
    Rule.WAITED: "lanes wait at the cluster barrier without having arrived",
    Rule.RETURN: "a function returns to call site {}, but it has no call site of that index",
    Rule.BARRIER_NUMBER: "there is no barrier {}: a CTA has barriers 0 to 15",
    Rule.BARRIER_COUNT: "the thread count {} is not a multiple of the 32 threads of a warp",
    Rule.BARRIER_THREADS:
        "the thread count {} is more than the {} threads that the CTA has in whole warps",
    Rule.BARRIER_NOBODY: "bar.arrive needs a nonzero thread count",
    Rule.BARRIER_DIFFERS:
        "the thread count {0} of barrier {2} differs from the {1} of warps that arrived earlier",
    Rule.BARRIER_MIXED:
        "bar.red and bar.sync or bar.arrive meet at barrier {2} in one phase, which the ISA leaves "
        "unpredictable",
    Rule.TADDR_DIFFERS: "all lanes of the warp must have the same operand; the first one has {:#x}",
    Rule.QUADRANT: "taddr names lane {}, but warp {} can access only the 32 lanes from {} on",
    Rule.TENSOR_LANE:
        "the access starts at lane {0} of its quadrant and reaches lane {1}, but a quadrant has "
        "32 lanes",
    Rule.TENSOR_COLUMN: "column {} is beyond the 512 columns of tensor memory",
    Rule.UNALLOCATED: "column {} of tensor memory is not allocated",
    Rule.DEALLOCATED: "column {} of tensor memory has already been deallocated",
    Rule.OTHER_CTA: "column {} of tensor memory belongs to another CTA on the same SM",
    Rule.ALLOC_COLUMNS: "{} columns: tcgen05.alloc and dealloc take a power of two from 32 to 512",
    Rule.ALLOC_RELINQUISHED: "the CTA has already relinquished its permit to allocate",
    Rule.ALLOC_GROWS:
        "{} columns are more than the {} that the CTA allocated last, which the ISA forbids",
    Rule.DEALLOC_ADDRESS: "this CTA has no allocation at taddr {:#x}",
    Rule.DEALLOC_SIZE: "{1} columns are allocated at taddr {0:#x}, not {2}",
    Rule.LEAK:
        "the {} columns from {} on, allocated here by warp {}, are not deallocated when the CTA "
        "ends",
    Rule.DESCRIPTOR_FIXED:
        "{:#x} is not a shared-memory descriptor: bits 46-48 must be 0b001 and unused bits 0",
    Rule.DESCRIPTOR_SWIZZLE:
        "swizzle mode {} of the descriptor {:#x} is not one for matrix rows: 0, 2, 4 or 6; 1 (128B "
        "with 32B atoms) has atoms for MN-major operands of tcgen05.mma alone",
    Rule.DESCRIPTOR_BASE:
        "the descriptor has start address {:#x} and base offset {}: a swizzle pattern repeats "
        "every {} bytes, and an operand with a base offset must start in its first 128 bytes, "
        "whose number (address / 128 modulo 8) is the base offset; with base offset 0 the pattern "
        "goes by the address",
    Rule.DESCRIPTOR_LEADING:
        "the descriptor {:#x} has LBO mode 1, an absolute address, which sm_103a alone has",
    Rule.COPY_LANE: "taddr names lane {}, but tcgen05.cp writes all lanes and needs lane 0",
    Rule.SHIFT_LANE: "taddr names lane {}, but tcgen05.shift needs a multiple of 32 below 128",
    Rule.COMMIT_CTAS:
        "the CTA mask {:#x} is empty or names CTAs outside the cluster of {}",
    Rule.NO_PEER: "the CTA of rank {} has no peer in its cluster of {}, or the peer has ended",
    Rule.PEER_DIFFERS:
        "the CTA asks for {} columns and its peer for {}: both CTAs of the pair must give the same "
        "number and the same address",
    Rule.NO_MBARRIER:
        "there is no mbarrier object at shared address {:#x}: mbarrier.init is missing before this",
    Rule.MBARRIER_TOUCHED:
        "shared address {:#x} lies in an mbarrier object, which only mbarrier instructions may "
        "touch",
    Rule.MBARRIER_TWICE:
        "shared address {:#x} already holds an mbarrier object: mbarrier.inval must end it first",
    Rule.MBARRIER_MANY: "more than {} mbarrier objects in one CTA are not supported",
    Rule.MBARRIER_COUNT: "the count {} is outside 1 to 1048575",
    Rule.MBARRIER_OVERFLOW:
        "{} arrivals are more than the {} that phase {} of the mbarrier still expects",
    Rule.MBARRIER_UNORDERED:
        "the arrival counts in phase {} of the mbarrier, but nothing orders it after phase {}, in "
        "which warp {} arrived: a run in another order would count the two the other way round",
    Rule.MBARRIER_LANES:
        "the arrivals of the warp's lanes count in phase {0} of the mbarrier and in phase {1}, and "
        "nothing orders lanes of one instruction: the mbarrier expects too few arrivals",
    Rule.MBARRIER_LAPPED:
        "phase {} of the mbarrier ended before this warp has seen the end of the phase before, for "
        "which it waits: nothing keeps a run from missing that, and the wait from lasting forever",
    Rule.MBARRIER_BEGUN:
        "the async proxy signals the mbarrier at shared address {:#x}, and neither "
        "fence.mbarrier_init nor fence.proxy.async comes between its mbarrier.init and this",
    Rule.MBARRIER_SCOPE:
        "the arrival has .cta scope, but the mbarrier is in CTA {} of the cluster: who waits there "
        "is outside of that scope, and .cluster is needed",
    Rule.MBARRIER_COMPLETES: "the arrival completes the phase, which .noComplete forbids",
    Rule.MBARRIER_TRANSACTIONS: "{} bytes are outside what an mbarrier counts, -1048575 to 1048575",
    Rule.MBARRIER_PHASE:
        "the state is of phase {}, but the mbarrier is in phase {}: only the current phase and the "
        "one before it can be tested",
    Rule.MBARRIER_REMOTE:
        "the mbarrier is in CTA {} of the cluster, but a wait needs an mbarrier of its own CTA",
    Rule.MBARRIER_SLOTS:
        "asynchronous operations complete at more than {} places of mbarriers in one cluster, "
        "which is not supported",
    Rule.MBARRIER_PHASES: "more than {} phases of one mbarrier are not supported",
    Rule.COPY_SOURCE_SIZE: "the source has {} bytes, but the copy writes only {}",
    Rule.BULK_SIZE: "{} bytes are not a multiple of {}",
    Rule.BULK_CTAS: "the CTA mask {:#x} is empty or names CTAs outside the cluster of {}",
    Rule.BULK_MBARRIER:
        "the mbarrier is in CTA {} of the cluster and the destination in CTA {}: both must be in "
        "the same one",
    Rule.BULK_UNREAD:
        "the CTA ends, and nothing says that this has read its shared memory before that: "
        "cp.async.bulk.commit_group and cp.async.bulk.wait_group.read by its own thread is missing",
    Rule.ALONE:
        "the cluster has only one CTA, but this instruction reaches the shared memory of a cluster "
        "of several",
    Rule.STORE_SIZE:
        "{} bytes are not a multiple of 8 up to 16777216",
    Rule.CANCEL_AGAIN:
        "an earlier clusterlaunchcontrol.try_cancel of this CTA has already failed, and the ISA "
        "leaves open what another one does",
    Rule.REGISTERS_UP:
        "setmaxnreg.inc asks for {} registers, but the warp already has {}",
    Rule.REGISTERS_DOWN:
        "setmaxnreg.dec leaves {} registers, but the warp has only {}",
    Rule.REGISTERS_DIFFER:
        "setmaxnreg gives this warp {} registers and warp {} of the same warpgroup {}",
    Rule.REGISTERS_LEFT:
        "warp {} of the same warpgroup has executed setmaxnreg {} times, but this warp {} times",
    Rule.MAP_FIELD:
        "the tensor map is {0} (0: tiled, 1: im2col), but the instruction uses the other mode",
    Rule.MAP_TYPE: "the tensor map has element type {}, which the emulator does not copy",
    Rule.MAP_DIMENSIONS:
        "the tensor map has rank {}: a map has 1 to 5 dimensions, with an interleaved layout or "
        "im2col 3 to 5",
    Rule.MAP_INTERLEAVE:
        "the tensor map has interleave {}: there are 0, 1 and 2, and of im2col only 0 is supported",
    Rule.MAP_SWIZZLE:
        "the tensor map has swizzle atomicity {}, which its swizzle does not have or no source "
        "settles",
    Rule.MAP_ADDRESS: "the tensor map has global address {:#x}, which is not aligned",
    Rule.MAP_STRIDE: "the tensor map has global stride {}, which is not a multiple of 16 (or 32)",
    Rule.MAP_BOX:
        "a row of the tensor map's box has {} bytes, which is no multiple of 16 or more than its "
        "swizzle spans",
    Rule.MAP_PIXELS: "the tensor map has {} pixels per column, more than 1024",
    Rule.MAP_CORNERS: "the corners of the tensor map leave nothing of dimension {}",
    Rule.MAP_RANK: "the tensor map has {} dimensions, but the instruction gives {} coordinates",
    Rule.MAP_SPACE:
        "the tensor map at generic address {:#x} is not in global, constant or parameter memory",
    Rule.MAP_UNFENCED:
        "the tensor map at {:#x} was modified by this launch, and no fence.proxy.tensormap with "
        "acquire semantics on its address came after that in this CTA",
    Rule.TMA_COORDINATE:
        "the coordinate of dimension 0 begins {} bytes after a multiple of 16: an H200 stops "
        "there",
    Rule.TMA_CORNER:
        "the coordinate of dimension {} lies outside the bounding box of the im2col map: an H200 "
        "stops there",
    Rule.TMA_ROWS:
        "gather4 and scatter4 need a box of 1 in dimension 1 and no interleaved layout; the box "
        "has {}",
    Rule.TMA_NEGATIVE:
        "the coordinate or corner -{} of dimension {} is negative: an H200 stops at such a store",
    Rule.TMA_REDUCES:
        "the operation is not defined for element type {} of the tensor map",
    Rule.WGMMA_NO_FENCE:
        "the warp has executed no wgmma.fence: one is missing before its first wgmma",
    Rule.WGMMA_FENCE_D:
        "register {} of D was written after the warp's last wgmma.fence: one is missing between "
        "the write and this wgmma",
    Rule.WGMMA_FENCE_A:
        "register {} of A was written after the warp's last wgmma.fence: one is missing between "
        "the write and this wgmma",
    Rule.WGMMA_DESCRIPTOR:
        "the descriptor {:#x} sets bits {:#x}, which are in none of its fields: start address "
        "(0-13), leading (16-29) and stride (32-45) byte offsets, base offset (49-51), swizzle "
        "(62-63)",
    Rule.WGMMA_DIFFERS: "the warps of the warpgroup are at different wgmma instructions",
    Rule.WGMMA_OPERANDS:
        "the warps of the warpgroup give different descriptors, or different values of scale-d",
    Rule.WGMMA_LANES: "all 32 lanes must execute wgmma; those of the mask {:#x} do",
    Rule.WGMMA_WARPS:
        "wgmma needs the warps {} to {} of the CTA, of which warp {} does not exist or has ended",
    Rule.WGMMA_METADATA:
        "the metadata {:#x} of row {}, chunk {} do not name two elements in ascending order (of "
        "32-bit elements: are neither 0x4 nor 0xe)",
    Rule.WGMMA_NARROW:
        "a row of {} bytes is wider than the swizzle of {} bytes that the descriptor names, and "
        "no source says where its end lies",
    **{
        getattr(Rule, f"MMA_TYPE_{kind.upper()}"):
            "the instruction descriptor has {0} in bits {1}-{2} (7-9: type of A, 10-12: type of "
            f"B); kind::{kind} has {types}"
        for kind, types in _MMA_TYPES.items()
    },
    **{
        getattr(Rule, f"MMA_D_{kind.upper()}"):
            "the instruction descriptor has {0} as type of D (bits 4-5); "
            f"kind::{kind} has {types}"
        for kind, types in _MMA_RESULTS.items()
    },
    Rule.MMA_D_BF16:
        "the instruction descriptor has F16 as type of D (bits 4-5 are 0) and BF16 as type of A or "
        "B (bits 7-9, 10-12): only F16 operands have D in F16, BF16 needs F32 = 1",
    Rule.MMA_RESERVED:
        "the instruction descriptor {:#x} sets bits {:#x}, which are reserved for this kind",
    Rule.MMA_SELECTOR:
        "the instruction descriptor has the sparsity selector {} (bits 0-1), but A is dense",
    Rule.MMA_SATURATE:
        "the instruction descriptor saturates (bit 3), which only kind::i8 does",
    Rule.MMA_MAX_SHIFT:
        "the instruction descriptor has {} as maximum shift (bits 30-31), but only tcgen05.mma.ws "
        "reuses B",
    Rule.MMA_K96:
        "the instruction descriptor asks for K = 96 (bit 31), which only sm_103a has and the "
        "emulator does not multiply",
    Rule.MMA_SCALE_MXF8:
        "the instruction descriptor has UE4M3 scales (bit 23 is 0), but kind::mxf8f6f4 takes "
        "UE8M0: set bit 23",
    Rule.MMA_SCALE_MXF4:
        "the instruction descriptor has UE4M3 scales (bit 23 is 0), but kind::mxf4 takes UE8M0: "
        "set bit 23, or use kind::mxf4nvf4 with scale_vec::4X",
    Rule.MMA_SCALE_NVF4:
        "UE4M3 scales (bit 23 of the instruction descriptor is 0) with scale_vec::{}X: nvfp4 wants "
        "4X (.block16)",
    Rule.MMA_SFA_ID: _MMA_ID.format("A", "29-30"),
    Rule.MMA_SFB_ID: _MMA_ID.format("B", "4-5"),
    Rule.MMA_SPARSE:
        "the instruction descriptor says that A is sparse (bit 2), but the instruction has no .sp",
    Rule.MMA_DENSE:
        "the instruction has .sp, but its descriptor says that A is dense (bit 2 is 0)",
    Rule.MMA_NEGATE:
        "the instruction descriptor negates A or B (bits 13 and 14), which kind::i8 cannot",
    Rule.MMA_TRANSPOSE:
        "the instruction descriptor transposes A or B (bits 15 and 16), but kind::mxf4 and "
        "kind::mxf4nvf4 take K-major operands only",
    Rule.MMA_TRANSPOSE_TENSOR:
        "the instruction descriptor transposes A (bit 15), but A in tensor memory is K-major",
    Rule.MMA_TRANSPOSE_NARROW:
        "the instruction descriptor transposes A or B (bits 15 and 16) of 4 or 6 bits; the ISA has "
        "that for 8, 16 and 32 bits only",
    Rule.MMA_M:
        "the instruction descriptor has M = {0} (bits 24-28 times 16), but .cta_group::{1} has M = "
        "{2} or twice that",
    Rule.MMA_M_WS:
        "the instruction descriptor has M = {} (bits 24-28 times 16), but .ws has 32, 64 or 128",
    Rule.MMA_M_SCALED:
        "the instruction descriptor has M = {0} (bits 24-28 times 16), but this kind with "
        ".cta_group::{1} has only M = {2}",
    Rule.MMA_N:
        "the instruction descriptor has N = {0} (bits 17-22 times 8), but N must be a multiple of "
        "{1} from {1} to 256",
    Rule.MMA_N_WS:
        "the instruction descriptor has N = {} (bits 17-22 times 8), but .ws has 64, 128 or 256",
    Rule.MMA_N_WS_SPARSE:
        "the instruction descriptor has N = {} (bits 17-22 times 8), but .sp.ws has 64 or 128",
    Rule.MMA_N_I8:
        "the instruction descriptor has N = {0} (bits 17-22 times 8), but above 32 kind::i8 needs "
        "a multiple of {1}",
    Rule.MMA_N_I8_PAIR:
        "the instruction descriptor has N = {0} (bits 17-22 times 8), but kind::i8 with "
        ".cta_group::2 needs a multiple of {1}",
    Rule.MMA_N_BYTES:
        "the instruction descriptor has N = {0} (bits 17-22 times 8) and an N-major B (bit 16) of "
        "8 bits, which needs a multiple of {1}",
    Rule.MMA_N_STRICT:
        "the instruction descriptor has N = {0} (bits 17-22 times 8) with M = {2}; sources "
        "disagree whether N must be a multiple of {1}",
    Rule.MMA_ASHIFT: ".ashift needs M = 128 or 256, but the instruction descriptor has M = {}",
    Rule.OPERAND_SWIZZLE:
        "the operand is transposed (M-major or N-major), its elements have {1} bits, and its "
        "descriptor has swizzle mode {0}: mode 1 goes with 32-bit elements, and no other does",
    Rule.OPERAND_D_LANE:
        "d-tmem names lane {}: D begins at lane 0, or at lane 0 or 16 where it takes half of the "
        "lanes (M = 64 of one CTA; sparse, M = 128 of two)",
    Rule.OPERAND_A_LANE: "a-tmem names lane {}, but d-tmem lane {}: A lies on the lanes of D",
    Rule.OPERAND_SCALE_LANE:
        "the address of scales names lane {}: scales lie on all lanes from 0 on",
    Rule.OPERAND_WS_A:
        "M is 32 and A in tensor memory: no public source says on which lanes tcgen05.mma.ws then "
        "reads it",
    Rule.OPERAND_DISABLED:
        "elements {0} of the two halves of disable-output-lane differ, and no source says which "
        "half is of which CTA",
    Rule.OPERAND_SCALES:
        "the scales of row (or column) {} differ between groups of 32 lanes, {:#x} and {:#x}: they "
        "must be in all four groups alike",
    Rule.OPERAND_NOT_COLLECTED:
        "the collector buffer holds nothing: the CTA's last tcgen05.mma with that buffer must have "
        "filled or used it; ::lastuse and ::discard, which is the default, leave nothing",
    Rule.OPERAND_COLLECTED:
        "the operand is {:#x}, but the collector buffer holds {:#x}: a use takes the operand that "
        "was filled",
    Rule.ZEROS_RESERVED:
        "the zero-column mask descriptor {:#x} sets bits {:#x}, which are reserved",
    Rule.ZEROS_SHIFT:
        "the zero-column mask descriptor has column shift {0} (bits 56-61), but with M = {2} at "
        "most {1} is possible",
    Rule.ZEROS_START:
        "the zero-column mask descriptor has start count {} for sub-mask {}, whose first span has "
        "only {} columns; the ISA does not say where a start beyond it lies",
}  # fmt: skip
if missing := set(Rule) - set(SENTENCES):
    raise RuntimeError(f"rules.py has no sentence for {sorted(missing)}")
