; One wave stages a tile, another reads it transposed; nothing orders the two.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 3, v0
    v_mov_b32_e32 v2, v0
    v_mov_b32_e32 v3, 0
    ds_write_b64 v1, v[2:3]       ; hazard
    s_waitcnt lgkmcnt(0)
.ifdef CORRECTED
    s_barrier
.endif
    v_xor_b32_e32 v4, 0x200, v1
    ds_read_b64_tr_b8 v[6:7], v4            ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dwordx2 v1, v[6:7], s[6:7]
    s_endpgm
