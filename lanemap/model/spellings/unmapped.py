"""Names that lanemap knows and has no map for, each with the reason."""

from __future__ import annotations

import re

from lanemap.model.spellings.pasted import Pasted
from lanemap.targets import TARGETS, instructions_of

_PAIR = "the pair also writes cells of the peer, and no public source says which"
_UNPACKED = "no public source gives the bytes that its decompression writes"
_LATER = "none of lanemap's targets has it"
#: What a name contains, and why it has no variant.
_REASONS = tuple(
    (re.compile(pattern, re.I), reason)
    for pattern, reason in (
        (r"tcgen05\.cp.*(b8x16|b[46]x16)|UTCCP.*U[46]x16P", _UNPACKED),
        (r"(tcgen05\.(cp|shift).*cta_group::2)|UTCCP.*2cta|UTCSHIFT.2CTA|UTCCP_\w+_2cta", _PAIR),
        (r"tcgen05\.(cp|shift)\b.*\.cg2", _PAIR),
        (r"tcgen05\.ld\.red|LdRed|LdSPCompress", "no probe maps a load that reduces"),
        (r"(ds_load|global_load)_tr|(ds|global)\.load\.tr|AMDWMMA|\bwmma_[fi]\d+_\d+x|"
         r"amdgcn[._]s?wmma|amdgpu\.(scaled_|sparse_)?wmma|swmmac|tdm_", _LATER),
        (r"SM107", _LATER),
        (r"SM61_DP[24]A|dp[24]a", "it multiplies within one lane"),
        (r"prefetch|UTMAPF|UTMACCTL", "it writes no cell that a kernel can read"),
        (r"C(opy)?(Bulk|G2S|G2R|S2R|R2S|R2G|S2G|Dsmem|Universal)|cp\.async\b|CP_ASYNC|BULK_COPY|"
         r"cp\.async\.bulk|bulk\.(shared|global)|UBLKCP|AutoCopyAsync|UniversalCopy|256bit_CACHE|"
         r"async_copy|buffer_load|AutoVectorizing", "it keeps the order of the bytes"),
        (r"(Blocked|Slice|Swizzled|Padded|Linear|Rotating|Partitioned|Generic|Auto|Coalesced|MBarrier)"
         r"\w*(Layout|Encoding)|(blocked|slice|swizzled_shared|padded_shared|linear)<",
         "it is a kernel's own layout, not an instruction's"),
        (r"alloc|commit|wait|arrive|barrier|fence|subslice|\bexpect|inval|clc_|tensormap|UTCBAR|"
         r"UTCATOMSWS|try_cancel|mbarrier", "it moves no data"),
        (r"SM100_\dx\dx1_F32|UniversalFMA|MmaUniversal|simd", "it multiplies within one lane"),
        (r"\w(Layout|Encoding(Attr)?)\b", "it is a kernel's own layout, not an instruction's"),
        (r"Shuffle|MOVM\.U|shfl|permute|bpermute|dpp", "no probe maps it"),
    )
)  # fmt: skip
_PTX = frozenset(
    "abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra "
    "brev brkpt call clmad clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt "
    "cvta discard div dp2a dp4a elect ex2 exit fence fma fns getctarank griddepcontrol "
    "isspacep istypep ld ldu lg2 lop3 mad mad24 madc mapa match max mbarrier membar min mov "
    "mul mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red "
    "redux rem ret rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st "
    "stackrestore stacksave sub subc suld suq sured sust szext tanh tcgen05 tensormap testp "
    "tex tld4 trap txq vabsdiff vadd vmad vmax vmin vote vset vshl vshr vsub xor wgmma mma "
    "wmma ldmatrix stmatrix movmatrix".split()
)


def why(pasted: Pasted) -> str:
    """The reason for an instruction without a variant; empty for what is no instruction."""
    for pattern, reason in _REASONS:
        if pattern.search(pasted.text):
            return reason
    word = pasted.word.lower()
    if "." in word and word.partition(".")[0] in _PTX - {"mma", "wmma", "wgmma", "tcgen05"}:
        return "no probe maps that instruction"
    plain = re.sub(r"_(e32|e64|dpp|sdwa)$", "", word)
    if any(plain in instructions_of(name) for name in TARGETS if name.startswith("gfx")):
        return "no probe maps that instruction"
    if re.match(
        r"#?(ttng|ttg|tt|tl|amdg|nvws|gluon|proton|nvg|amdgpu|nvgpu)\.[a-z]\w+", pasted.text
    ):
        return "no probe maps what that operation becomes"
    if re.search(r"llvm\.(nvvm|amdgcn)\.|__builtin_amdgcn_|__nvvm_", pasted.text):
        return "no probe maps the instruction of that intrinsic"
    return ""
