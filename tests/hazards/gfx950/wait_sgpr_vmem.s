; A store's address is in an SGPR that a VALU instruction has just written.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    s_mov_b32 s8, s6
    v_mov_b32_e32 v2, s7
    s_nop 0
    v_readfirstlane_b32 s9, v2
.ifdef CORRECTED
    s_nop 4
.else
    s_nop 3
.endif
    global_store_dword v1, v0, s[8:9]               ; hazard
    s_endpgm
