; v_permlane32_swap too soon after v_cmpx has written EXEC.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v8, v0
    v_mov_b32_e32 v9, v0
    s_nop 1
    v_cmpx_le_u32_e32 vcc, 0, v0
.ifdef CORRECTED
    s_nop 3
.else
    s_nop 2
.endif
    v_permlane32_swap_b32_e32 v8, v9                ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
