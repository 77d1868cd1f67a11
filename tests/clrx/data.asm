# A table in constant data, whose address stands in the code, and the dispatch packet of .usesetup: s[4:5] is the packet
# (its second word has the group's size), s[6:7] the arguments, s8 the group.
# grid: 2
# block: 4
# arg: zero=32
# expect: arg 0 u32[0..7] = 1104 1204 1304 1404 2104 2204 2304 2404
.amdcl2
.gpu Tonga
.64bit
.globaldata
    .int 7, 9
table:
    .int 100, 200, 300, 400
.kernel look
    .config
        .dims x
        .usesetup
        .useargs
        .setupargs
        .arg out, uint*, global
    .text
        s_load_dwordx2  s[0:1], s[6:7], 0x30
        s_load_dword    s2, s[4:5], 4
        s_mov_b32       s10, table&0xffffffff
        s_mov_b32       s11, (table+0)>>32
        s_waitcnt       lgkmcnt(0)
        s_and_b32       s2, s2, 0xffff
        v_lshlrev_b32   v1, 2, v0               # of the thread in its group
        v_add_u32       v2, vcc, s10, v1
        v_mov_b32       v3, s11
        v_addc_u32      v3, vcc, 0, v3, vcc
        flat_load_dword v4, v[2:3]
        s_mul_i32       s3, s8, s2
        v_add_u32       v5, vcc, s3, v0
        v_lshlrev_b32   v5, 2, v5
        v_add_u32       v6, vcc, s0, v5
        v_mov_b32       v7, s1
        v_addc_u32      v7, vcc, 0, v7, vcc
        s_add_u32       s9, s8, 1
        s_mul_i32       s9, s9, 1000
        s_add_u32       s9, s9, s2
        s_waitcnt       vmcnt(0)
        v_add_u32       v4, vcc, s9, v4
        flat_store_dword v[6:7], v4
        s_endpgm
