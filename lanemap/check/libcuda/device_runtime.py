"""What libcudadevrt.a is linked for, as PTX: the functions that synchronize a grid.

numba-cuda links NVIDIA's archive, which is machine code, to kernels that call them. Their names and
arguments are those of cuda_device_runtime_api.h; a grid's handle is its scope.
"""

#: The archive's name, without what a system adds.
NAME = "libcudadevrt."
#: The barrier is a counter of arrivals: its address has the halves %envreg1 and %envreg2, and the
#: launch sets it to 0 (cooperative_groups/details/driver_abi.h). Round k ends when it reaches
#: (k + 1) times the CTAs of the grid.
TEXT = """
.version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
    .reg .b32 %scope;
    .reg .b64 %handle;
    ld.param.u32 %scope, [scope];
    cvt.u64.u32 %handle, %scope;
    st.param.b64 [handle], %handle;
    ret;
}
.visible .func (.param .b32 status) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
    .reg .b32 %x, %y, %z, %lane, %high, %low, %ctas, %arrived, %goal, %left, %status;
    .reg .b64 %handle, %address;
    .reg .pred %is_grid, %is_first, %is_early;
    ld.param.b64 %handle, [handle];
    mov.u32 %status, 801;
    setp.eq.u64 %is_grid, %handle, 1;
    @!%is_grid bra END;
    mov.u32 %status, 0;
    bar.sync 0;
    mov.u32 %x, %tid.x;
    mov.u32 %y, %tid.y;
    mov.u32 %z, %tid.z;
    or.b32 %lane, %x, %y;
    or.b32 %lane, %lane, %z;
    setp.eq.u32 %is_first, %lane, 0;
    @!%is_first bra MEET;
    mov.b32 %high, %envreg1;
    mov.b32 %low, %envreg2;
    mov.b64 %address, {%low, %high};
    mov.u32 %x, %nctaid.x;
    mov.u32 %y, %nctaid.y;
    mov.u32 %z, %nctaid.z;
    mul.lo.u32 %ctas, %x, %y;
    mul.lo.u32 %ctas, %ctas, %z;
    fence.acq_rel.gpu;
    atom.global.add.acq_rel.gpu.u32 %arrived, [%address+4], 1;
    div.u32 %goal, %arrived, %ctas;
    mad.lo.u32 %goal, %goal, %ctas, %ctas;
WAIT:
    ld.acquire.gpu.global.u32 %arrived, [%address+4];
    sub.u32 %left, %arrived, %goal;
    setp.lt.s32 %is_early, %left, 0;
    @%is_early bra WAIT;
    fence.acq_rel.gpu;
MEET:
    bar.sync 0;
END:
    st.param.b32 [status], %status;
    ret;
}
"""
