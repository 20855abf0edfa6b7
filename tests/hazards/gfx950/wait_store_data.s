; The data of a store of 128 bits is overwritten before it was read.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_lshlrev_b32_e32 v1, 4, v0
    v_add_u32_e32 v4, 0, v1
    v_add_u32_e32 v5, 1, v1
    v_add_u32_e32 v6, 2, v1
    v_add_u32_e32 v7, 3, v1
    s_waitcnt lgkmcnt(0)
    global_store_dwordx4 v1, v[4:7], s[6:7]
.ifdef CORRECTED
    s_nop 1
.else
    s_nop 0
.endif
    v_mov_b32_e32 v6, 0                             ; hazard
    s_endpgm
