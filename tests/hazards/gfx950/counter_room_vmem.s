; A loaded word is used after 62 younger loads; one more would have had to wait for it.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v3, v1, s[4:5]
.rept 62
    global_load_dword v4, v1, s[4:5] offset:256
.endr
.ifdef CORRECTED
    global_load_dword v4, v1, s[4:5] offset:256
.endif
    v_add_u32_e32 v5, 7, v3                 ; hazard
    s_waitcnt vmcnt(0)
    global_store_dword v1, v5, s[6:7]
    s_endpgm
