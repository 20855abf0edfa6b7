; v_permlane32_swap exchanges what a VALU instruction has just written.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v8, v0
    v_add_u32_e32 v9, 5, v0
.ifdef CORRECTED
    s_nop 1
.else
    s_nop 0
.endif
    v_permlane32_swap_b32_e32 v8, v9                ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
