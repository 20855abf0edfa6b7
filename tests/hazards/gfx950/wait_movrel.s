; s_movrels uses M0, which the instruction before it has written.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_mov_b32 s8, 20
    s_mov_b32 s9, 30
    s_waitcnt lgkmcnt(0)
    s_mov_b32 m0, 1
.ifdef CORRECTED
    s_nop 0
.endif
    s_movrels_b32 s10, s8                           ; hazard
    v_mov_b32_e32 v2, s10
    global_store_dword v1, v2, s[6:7]
    s_endpgm
