; v_readlane selects by an SGPR that a VALU instruction has just written.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 6
    s_nop 0
    v_readfirstlane_b32 s8, v2
.ifdef CORRECTED
    s_nop 3
.else
    s_nop 2
.endif
    v_readlane_b32 s9, v0, s8                       ; hazard
    s_nop 1
    v_mov_b32_e32 v8, s9
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
