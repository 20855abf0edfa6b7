; A register that only some lanes wrote is stored by all.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
.ifdef CORRECTED
    v_mov_b32_e32 v2, 0
.endif
    v_cmp_gt_u32_e32 vcc, 50, v0
    s_and_saveexec_b64 s[8:9], vcc
    v_mul_u32_u24_e32 v2, 3, v0
    s_mov_b64 exec, s[8:9]
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]       ; hazard
    s_endpgm
