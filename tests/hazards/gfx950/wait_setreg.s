; s_getreg reads MODE, which s_setreg has just written.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 13
.ifdef CORRECTED
    s_nop 1
.else
    s_nop 0
.endif
    s_getreg_b32 s8, hwreg(HW_REG_MODE, 4, 4)       ; hazard
    v_mov_b32_e32 v8, s8
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
