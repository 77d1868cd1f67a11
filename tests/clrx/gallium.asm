# Arguments behind nine words: groups, threads of the grid, threads of a group; s[0:1] has their address, s4 the group.
# grid: 3
# block: 2
# arg: zero=24
# arg: u32=5
# expect: arg 0 u32[0..5] = 3625 3625 3625 3625 3625 3625
.gallium
.gpu Bonaire
.kernel sizes
    .args
        .arg global, 8, 8, 8, zext, general
        .arg scalar, 4, 4, 4, zext, general
        .arg griddim
        .arg gridoffset
    .config
        .dims x
.text
sizes:
        s_load_dword    s5, s[0:1], 0           # 3 groups
        s_load_dword    s6, s[0:1], 3           # 6 threads
        s_load_dword    s7, s[0:1], 6           # 2 of a group
        s_load_dwordx2  s[8:9], s[0:1], 9
        s_load_dword    s10, s[0:1], 11
        s_waitcnt       lgkmcnt(0)
        s_mul_i32       s5, s5, 1000
        s_mul_i32       s6, s6, 100
        s_mul_i32       s11, s7, 10
        s_add_u32       s5, s5, s6
        s_add_u32       s5, s5, s11
        s_add_u32       s5, s5, s10
        s_mul_i32       s12, s4, s7
        v_add_i32       v0, vcc, s12, v0
        v_lshlrev_b32   v0, 2, v0
        v_add_i32       v0, vcc, s8, v0
        v_mov_b32       v1, s9
        v_addc_u32      v1, vcc, 0, v1, vcc
        v_mov_b32       v2, s5
        flat_store_dword v[0:1], v2
        s_endpgm
