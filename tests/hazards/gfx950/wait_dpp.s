; DPP reads what a VALU instruction has just written.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_add_u32_e32 v2, 3, v0
.ifdef CORRECTED
    s_nop 1
.else
    s_nop 0
.endif
    v_mov_b32_dpp v8, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
