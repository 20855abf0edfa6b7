; A wave writes LDS that its own buffer load still brings: either may come last.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_mov_b32 m0, 0
    s_waitcnt lgkmcnt(0)
    s_mov_b32 s8, s4
    s_and_b32 s9, s5, 0xffff
    s_mov_b32 s10, 0x200
    s_mov_b32 s11, 0x00027000
    s_nop 4
    buffer_load_dword v1, s[8:11], 0 offen lds
.ifdef CORRECTED
    s_waitcnt vmcnt(0)
.endif
    ds_write_b32 v1, v0                     ; hazard
    s_waitcnt vmcnt(0) lgkmcnt(0)
    ds_read_b32 v2, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]
    s_endpgm
