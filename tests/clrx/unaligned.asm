# A value of 4 bytes, then pointers whose places, behind nine words, are no multiples of 8: -a follows the declarations.
# grid: 1
# block: 2
# arg: u32=3
# arg: zero=8
# arg: zero=8
# expect: arg 2 u32[0..1] = 3 3
.gallium
.gpu Tonga
.kernel third
    .args
        .arg scalar, 4
        .arg global, 8
        .arg global, 8
    .config
        .dims x
.text
third:
        s_load_dword    s5, s[0:1], 9*4
        s_load_dwordx2  s[6:7], s[0:1], 13*4    # the second pointer
        s_waitcnt       lgkmcnt(0)
        v_lshlrev_b32   v0, 2, v0
        v_add_u32       v0, vcc, s6, v0
        v_mov_b32       v1, s7
        v_addc_u32      v1, vcc, 0, v1, vcc
        v_mov_b32       v2, s5
        flat_store_dword v[0:1], v2
        s_endpgm
