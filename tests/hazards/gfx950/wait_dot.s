; The result of a dot product is used too early.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0x01010101
    v_dot4_i32_i8 v3, v2, v2, v0
.ifdef CORRECTED
    s_nop 2
.else
    s_nop 1
.endif
    v_add_u32_e32 v8, 1, v3                         ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
