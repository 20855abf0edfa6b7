; VCCZ is read as data too soon after v_cmp has written VCC.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_cmp_gt_u32_e32 vcc, 0, v0
.ifdef CORRECTED
    s_nop 4
.else
    s_nop 3
.endif
    v_mov_b32_e32 v8, src_vccz                      ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
