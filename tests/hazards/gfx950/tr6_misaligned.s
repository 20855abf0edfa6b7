; The 6-bit transpose read takes 12-byte chunks at multiples of sixteen, not of twelve.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_lshlrev_b32_e32 v8, 4, v0
    v_mov_b32_e32 v2, 0
    v_mov_b32_e32 v3, 0
    v_mov_b32_e32 v4, 0
    v_mov_b32_e32 v5, 0
    ds_write_b128 v8, v[2:5]
    s_waitcnt lgkmcnt(0)
.ifndef CORRECTED
    v_mul_u32_u24_e32 v8, 12, v0
.endif
    ds_read_b96_tr_b6 v[10:12], v8                  ; hazard
    s_waitcnt lgkmcnt(0)
    v_add_u32_e32 v10, v10, v0
    global_store_dword v1, v10, s[6:7]
    s_endpgm
