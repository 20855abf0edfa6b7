; A transpose read takes chunks of eight bytes at multiples of eight; lane 3 gives another address.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 3, v0
    v_mov_b32_e32 v2, v0
    v_mov_b32_e32 v3, 0
    ds_write_b64 v1, v[2:3]
    s_waitcnt lgkmcnt(0)
.ifndef CORRECTED
    v_cmp_eq_u32_e32 vcc, 3, v0
    s_nop 1
    v_cndmask_b32_e64 v4, 0, 4, vcc
    v_add_u32_e32 v4, v1, v4
    ds_read_b64_tr_b8 v[6:7], v4                    ; hazard
.else
    ds_read_b64_tr_b8 v[6:7], v1
.endif
    s_waitcnt lgkmcnt(0)
    global_store_dwordx2 v1, v[6:7], s[6:7]
    s_endpgm
