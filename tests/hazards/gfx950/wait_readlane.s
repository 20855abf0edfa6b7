; v_readlane reads what the instruction before it has written.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_add_u32_e32 v2, 5, v0
.ifdef CORRECTED
    s_nop 0
.endif
    v_readlane_b32 s8, v2, 9                        ; hazard
    s_nop 1
    v_mov_b32_e32 v8, s8
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
