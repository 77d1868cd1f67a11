# Each thread writes its number plus n: .useargs leaves the arguments in s[4:5], the group's number in s6.
# grid: 2
# arg: zero=512
# arg: u32=100
# expect: arg 0 u32[0..2] = 100 101 102
# expect: arg 0 u32[126..127] = 226 227
.amdcl2
.gpu Iceland
.64bit
.driver_version 200406
.kernel add
    .config
        .dims x
        .cws 64, 1, 1
        .useargs
        .setupargs
        .arg out, "int*", int*, global
        .arg n, "int", int
    .text
        s_load_dwordx2  s[0:1], s[4:5], 6*8
        s_load_dword    s2, s[4:5], 7*8
        s_waitcnt       lgkmcnt(0)
        s_lshl_b32      s3, s6, 6               # 64 threads a group
        v_add_u32       v0, vcc, s3, v0
        v_lshlrev_b32   v1, 2, v0
        v_add_u32       v2, vcc, s2, v0
        v_mov_b32       v3, s1
        v_add_u32       v4, vcc, s0, v1
        v_addc_u32      v5, vcc, 0, v3, vcc
        flat_store_dword v[4:5], v2
        s_endpgm
