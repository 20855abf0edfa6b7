; A word of LDS that nothing wrote becomes an address.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_xor_b32_e32 v4, 8, v1
.ifndef CORRECTED
    ; Lane 5 writes nothing: the word that lane 7 reads stays as it was found.
    v_cmp_ne_u32_e32 vcc, 5, v0
    s_and_saveexec_b64 s[8:9], vcc
.endif
    ds_write_b32 v1, v4
.ifndef CORRECTED
    s_mov_b64 exec, s[8:9]
.endif
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v2, v4
    s_waitcnt lgkmcnt(0)
    global_load_dword v3, v2, s[4:5]        ; hazard
    s_waitcnt vmcnt(0)
    global_store_dword v1, v3, s[6:7]
    s_endpgm
