# AMD's OpenCL 1.2: setup words and arguments in constant buffers, buffers by resources of a table, by .userdata; the
# group's number follows in s12. tests/cli/clrx.sh runs the file for 64 bits, too.
# grid: 3
# block: 2
# arg: u32=5
# arg: zero=24
# expect: arg 1 u32[0..5] = 36212 36214 36212 36214 36212 36214
.amd
.gpu Pitcairn
.32bit
.globaldata
    .int 7, 9
.kernel sums
    .config
        .dims x
        .uavid 11
        .useconstdata
        .userdata ptr_uav_table, 0, 2, 2
        .userdata imm_const_buffer, 0, 4, 4
        .userdata imm_const_buffer, 1, 8, 4
        .arg n, uint
        .arg out, uint*, global
    .text
        s_buffer_load_dword s0, s[4:7], 4       # 2 threads of a group
        s_buffer_load_dword s1, s[4:7], 0       # 6 threads
        s_buffer_load_dword s13, s[4:7], 8      # 3 groups
        s_buffer_load_dword s14, s[8:11], 0
        s_load_dwordx4  s[20:23], s[2:3], 12*8  # the buffer's resource
        s_load_dwordx4  s[24:27], s[2:3], 10*8  # the data's
        s_waitcnt       lgkmcnt(0)
        s_mul_i32       s15, s0, s12
        v_add_i32       v0, vcc, s15, v0
        v_lshlrev_b32   v0, 2, v0
        v_and_b32       v2, 4, v0               # the data's word of odd and even threads
        s_mul_i32       s0, s0, 100
        s_mul_i32       s1, s1, 1000
        s_mul_i32       s13, s13, 10000
        s_add_u32       s0, s0, s1
        s_add_u32       s0, s0, s13
        s_add_u32       s0, s0, s14
    .if32
        s_buffer_load_dword s16, s[4:7], 32
        s_buffer_load_dword s18, s[8:11], 4
        s_waitcnt       lgkmcnt(0)
        buffer_load_dword v3, v2, s[24:27], s16 offen
        s_waitcnt       vmcnt(0)
        v_add_i32       v3, vcc, s0, v3
        buffer_store_dword v3, v0, s[20:23], s18 offen
    .else
        s_buffer_load_dwordx2 s[16:17], s[4:7], 32
        s_buffer_load_dwordx2 s[18:19], s[8:11], 4
        s_waitcnt       lgkmcnt(0)
        v_mov_b32       v5, s17
        v_add_i32       v4, vcc, s16, v2
        v_addc_u32      v5, vcc, 0, v5, vcc
        buffer_load_dword v3, v[4:5], s[24:27], 0 addr64
        v_mov_b32       v1, s19
        v_add_i32       v0, vcc, s18, v0
        v_addc_u32      v1, vcc, 0, v1, vcc
        s_waitcnt       vmcnt(0)
        v_add_i32       v3, vcc, s0, v3
        buffer_store_dword v3, v[0:1], s[20:23], 0 addr64
    .endif
        s_endpgm
