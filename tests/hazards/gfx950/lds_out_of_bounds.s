; The last lanes write behind the workgroup's LDS.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
.ifdef CORRECTED
    ds_write_b32 v1, v0
    ds_read_b32 v2, v1
.else
    ds_write_b32 v1, v0 offset:1024                 ; hazard
    ds_read_b32 v2, v1 offset:1024
.endif
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]
    s_endpgm
