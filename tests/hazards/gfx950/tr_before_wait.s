; What a transpose read returns is used before lgkmcnt says that it has come.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 3, v0
    v_mov_b32_e32 v2, v0
    v_mov_b32_e32 v3, 0
    ds_write_b64 v1, v[2:3]
    s_waitcnt lgkmcnt(0)
    ds_read_b64_tr_b8 v[4:5], v1
.ifdef CORRECTED
    s_waitcnt lgkmcnt(0)
.endif
    v_mov_b32_e32 v6, v5                    ; hazard
    v_mov_b32_e32 v7, v4
    global_store_dwordx2 v1, v[6:7], s[6:7]
    s_endpgm
