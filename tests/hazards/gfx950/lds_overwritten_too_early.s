; A second round overwrites words that the other wave may not have read yet.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_xor_b32_e32 v2, 0x100, v1
    ds_write_b32 v1, v0
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v3, v2       ; hazard
    s_waitcnt lgkmcnt(0)
.ifdef CORRECTED
    s_barrier
.endif
    v_add_u32_e32 v4, 1, v3
    ds_write_b32 v1, v4                     ; hazard
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v3, v2
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v3, s[6:7]
    s_endpgm
