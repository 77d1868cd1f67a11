# Images and samplers as arguments: their addresses are those of descriptors, which a launch makes of -a image= and
# -a sampler=. Each thread copies a texel of its place, through a sampler.
# grid: 2,2
# arg: image=r32_uint:4x4:in=texels.bin
# arg: sampler=nearest,clamp_to_edge,texels
# arg: image=r32_float:4x4:zero
# expect: arg 2 f32[0..3] = 0 1 2 3
# expect: arg 2 f32[12..15] = 12 13 14 15
.amdcl2
.gpu Tonga
.64bit
.kernel copy
    .config
        .dims xy
        .cws 2, 2, 1
        .useargs
        .arg from, image2d, read_only
        .arg how, sampler
        .arg to, image2d, write_only
    .text
        s_load_dwordx8  s[36:43], s[4:5], 0
        s_waitcnt       lgkmcnt(0)
        s_load_dwordx8  s[16:23], s[36:37], 0
        s_load_dwordx4  s[24:27], s[38:39], 0
        s_load_dwordx8  s[28:35], s[40:41], 0
        s_waitcnt       lgkmcnt(0)
        s_lshl_b32      s0, s6, 1
        s_lshl_b32      s1, s7, 1
        v_or_b32        v0, s0, v0
        v_or_b32        v1, s1, v1
        v_cvt_f32_u32   v2, v0
        v_cvt_f32_u32   v3, v1
        image_sample    v4, v[2:3], s[16:23], s[24:27] dmask:1
        s_waitcnt       vmcnt(0)
        v_cvt_f32_u32   v4, v4
        image_store     v4, v[0:1], s[28:35] dmask:1 unorm
        s_endpgm
