; A scalar load may be the last to return, however many younger ones the counter has had to take.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    s_load_dword s8, s[4:5], 0x0
    s_load_dword s20, s[4:5], 0x4
    s_load_dword s21, s[4:5], 0x4
    s_load_dword s22, s[4:5], 0x4
    s_load_dword s23, s[4:5], 0x4
    s_load_dword s24, s[4:5], 0x4
    s_load_dword s25, s[4:5], 0x4
    s_load_dword s26, s[4:5], 0x4
    s_load_dword s27, s[4:5], 0x4
    s_load_dword s28, s[4:5], 0x4
    s_load_dword s29, s[4:5], 0x4
    s_load_dword s30, s[4:5], 0x4
    s_load_dword s31, s[4:5], 0x4
    s_load_dword s32, s[4:5], 0x4
    s_load_dword s33, s[4:5], 0x4
    s_load_dword s34, s[4:5], 0x4
    s_load_dword s35, s[4:5], 0x4
.ifdef CORRECTED
    s_waitcnt lgkmcnt(0)
.endif
    v_mov_b32_e32 v2, s8                    ; hazard
    global_store_dword v1, v2, s[6:7]
    s_endpgm
