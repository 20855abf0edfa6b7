; Two waves copy to LDS and exchange. Each has waited for its own copy; nothing orders the other's.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_nop 0
    v_readfirstlane_b32 s8, v1
    s_nop 4
    s_mov_b32 m0, s8
    s_waitcnt lgkmcnt(0)
    global_load_lds_dword v1, s[4:5]        ; hazard
    s_waitcnt vmcnt(0)
.ifdef CORRECTED
    s_barrier
.endif
    v_xor_b32_e32 v2, 0x100, v1
    ds_read_b32 v3, v2                      ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v3, s[6:7]
    s_endpgm
