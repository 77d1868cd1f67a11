# Pointers of 32 bits: all memory lies below 4 GiB, and a resource from address 0 on has all of it.
# grid: 2
# block: 2
# arg: u32=100
# arg: zero=16
# expect: arg 1 u32[0..3] = 100 101 102 103
.amdcl2
.gpu Bonaire
.32bit
.kernel add
    .config
        .dims x
        .useargs
        .setupargs
        .arg n, uint
        .arg out, uint*, global
    .text
        s_load_dwordx2  s[0:1], s[4:5], 6       # behind six setup words
        s_lshl_b32      s7, s6, 1
        v_add_i32       v0, vcc, s7, v0
        s_waitcnt       lgkmcnt(0)
        v_add_i32       v1, vcc, s0, v0
        v_lshlrev_b32   v0, 2, v0
        v_add_i32       v0, vcc, s1, v0
        s_mov_b32       s8, 0
        s_mov_b32       s9, 0
        s_mov_b32       s10, -1
        s_mov_b32       s11, 0x8027fac
        buffer_store_dword v1, v0, s[8:11], 0 offen
        s_endpgm
