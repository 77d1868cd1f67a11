// What most experiments of GCN stand in: the body {n} times, in wavefronts of one work-group. Two sizes are run, and the
// difference of their cycles is free of what surrounds the copies.
.kernel timed
.chip {chip}
.regs 64
.smem 16384
.arg zero=65536
	s_mov_b32 m0, -1
	s_load_dwordx2 s[12:13], s[0:1], 0x0
	s_movk_i32 s14, 0x4000
	s_mov_b32 s15, 0x24fac
	s_mov_b64 s[20:21], exec
	v_lshlrev_b32 v8, 2, v0
	v_lshlrev_b32 v9, 3, v0
	v_lshlrev_b32 v10, 4, v0
	v_mov_b32 v0, 0x3f000000
	v_mov_b32 v1, 0x3f000000
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v2, s12
	v_mov_b32 v3, s13
@before
@repeat n
@copy
@end
	s_endpgm
