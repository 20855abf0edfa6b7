; A word of LDS that nothing wrote decides which lanes are active.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_add_u32_e32 v4, 12, v1
.ifdef CORRECTED
    ds_write_b32 v1, v0
    ds_write_b32 v4, v0
.else
    ; Words 0 to 63 only: the last three lanes read what nothing wrote.
    ds_write_b32 v1, v0
.endif
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v2, v4
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v3, 5
    global_store_dword v1, v3, s[6:7]
    v_cmp_lt_u32_e32 vcc, 40, v2
    s_and_saveexec_b64 s[8:9], vcc          ; hazard
    v_mov_b32_e32 v3, 6
    global_store_dword v1, v3, s[6:7]
    s_endpgm
