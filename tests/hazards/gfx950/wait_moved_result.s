; A result that SDWA puts into the upper half is used at once.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_sdwa v2, v0 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD
.ifdef CORRECTED
    s_nop 0
.endif
    v_add_u32_e32 v8, 1, v2                         ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
