# Two kernels of one text, each behind the 256 bytes of a descriptor; the table lies in data at a known distance.
# grid: 1
# block: 4
# arg: zero=16
# The values of both are in tests/clrx.sh.
.rocm
.gpu Fiji
.arch_minor 0
.arch_stepping 3
.macro configure
    .config
        .dims x
        .use_private_segment_buffer
        .use_dispatch_ptr
        .use_kernarg_segment_ptr
        .userdatanum 8
        .codeversion 1, 1
        .use_ptr64
        .arg out, "uint*", 8, 8, globalbuf, u32, global, default
        .arg , "", 8, 8, gox, i64
.endm
.kernel copy
    configure
.kernel negate
    configure
.rodata
    .skip 12
table:
    .rept 4
        .int (.-table)/4*11+11
    .endr
.text
.macro begin kernel
\kernel:
    .skip 256
        s_load_dwordx2  s[0:1], s[6:7], 0
        s_getpc_b64     s[2:3]
here\@:
        s_add_u32       s2, s2, table-here\@
        s_addc_u32      s3, s3, 0
        v_lshlrev_b32   v1, 2, v0
        v_add_u32       v2, vcc, s2, v1
        v_mov_b32       v3, s3
        v_addc_u32      v3, vcc, 0, v3, vcc
        flat_load_dword v4, v[2:3]
        s_waitcnt       vmcnt(0) & lgkmcnt(0)
        v_add_u32       v2, vcc, s0, v1
        v_mov_b32       v3, s1
        v_addc_u32      v3, vcc, 0, v3, vcc
.endm
begin copy
        flat_store_dword v[2:3], v4
        s_endpgm
.p2align 8
begin negate
        v_sub_u32       v4, vcc, 0, v4
        flat_store_dword v[2:3], v4
        s_endpgm
