; No lane's loop ends: each steps by two over the odd value that it waits for.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0
    s_mov_b64 s[8:9], exec
.Lagain:
.ifdef CORRECTED
    v_add_u32_e32 v2, 1, v2
.else
    v_add_u32_e32 v2, 2, v2
.endif
    v_or_b32_e32 v3, 1, v0
    v_cmp_ne_u32_e32 vcc, v2, v3
    s_and_b64 exec, exec, vcc
    s_cbranch_execnz .Lagain                        ; hazard
    s_mov_b64 exec, s[8:9]
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]
    s_endpgm
