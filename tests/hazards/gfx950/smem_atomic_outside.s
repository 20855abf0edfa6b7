; A scalar atomic that returns something reaches behind the buffer of its descriptor.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    s_mov_b32 s8, s6
    s_and_b32 s9, s7, 0xffff
.ifdef CORRECTED
    s_mov_b32 s10, 256
.else
    s_mov_b32 s10, 252
.endif
    s_mov_b32 s11, 0x27000
    global_store_dword v1, v0, s[6:7]
    s_movk_i32 s12, 0x77
    s_waitcnt vmcnt(0)
    s_buffer_atomic_swap s12, s[8:11], 0xfc glc ; hazard
    s_waitcnt lgkmcnt(0)
    s_dcache_wb
    s_endpgm
