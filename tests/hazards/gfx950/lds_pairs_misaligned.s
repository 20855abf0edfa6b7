; Two halves are added to LDS at an address that is no multiple of four.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0x3c003c00
    v_mov_b32_e32 v4, 0
    ds_write_b32 v1, v4
.ifdef CORRECTED
    v_mov_b32_e32 v3, v1
.else
    v_or_b32_e32 v3, 2, v1
.endif
    s_waitcnt lgkmcnt(0)
    ds_pk_add_f16 v3, v2                    ; hazard
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v5, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v5, s[6:7]
    s_endpgm
