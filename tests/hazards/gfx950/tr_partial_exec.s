; A transpose read needs every lane: sixteen lanes' chunks make each result.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 3, v0
    v_mov_b32_e32 v2, v0
    v_mov_b32_e32 v3, 0
    v_mov_b32_e32 v6, 0
    v_mov_b32_e32 v7, 0
    ds_write_b64 v1, v[2:3]
    s_waitcnt lgkmcnt(0)
    v_cmp_ne_u32_e32 vcc, 17, v0
    s_and_saveexec_b64 s[8:9], vcc
.ifdef CORRECTED
    s_mov_b64 exec, s[8:9]
.endif
    ds_read_b64_tr_b8 v[6:7], v1                    ; hazard
    s_waitcnt lgkmcnt(0)
    s_mov_b64 exec, s[8:9]
    global_store_dwordx2 v1, v[6:7], s[6:7]
    s_endpgm
