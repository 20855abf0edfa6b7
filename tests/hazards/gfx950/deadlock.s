; Wave 1 polls a flag that wave 0 sets only after a barrier, to which wave 1 never comes.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0
    v_mov_b32_e32 v3, 1
    v_readfirstlane_b32 s8, v0
    s_cmp_eq_u32 s8, 0
    s_cbranch_scc0 .Lsecond
    ds_write_b32 v2, v2
    s_waitcnt lgkmcnt(0)
    s_barrier
.ifdef CORRECTED
    ds_add_u32 v2, v3
    s_waitcnt lgkmcnt(0)
    s_branch .Ldone
.else
    s_barrier                                       ; hazard
    ds_add_u32 v2, v3
    s_waitcnt lgkmcnt(0)
    s_branch .Ldone
.endif
.Lsecond:
    s_barrier
    s_mov_b64 s[10:11], exec
    s_mov_b64 exec, 1
.Lpoll:
    v_mov_b32_e32 v4, 0
    ds_add_rtn_u32 v4, v2, v4
    s_waitcnt lgkmcnt(0)
    v_readfirstlane_b32 s9, v4
    s_cmp_eq_u32 s9, 0
    s_cbranch_scc1 .Lpoll
    s_mov_b64 exec, s[10:11]
.Ldone:
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v0, s[6:7]
    s_endpgm
