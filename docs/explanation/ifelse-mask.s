// If and else with a mask: EXEC says which of 64 lanes write, and the program itself narrows and restores it.
//
// The counterpart of ifelse.s, which leaves that to a stack: even work-items add 100, odd ones take their number three
// times.
//
// What to look for: no branch at all. `s_and_saveexec_b64` keeps the even lanes and remembers all in s[4:5],
// `s_andn2_b64` turns to the others, `s_mov_b64 exec` brings all of them back. Each of the instructions in between costs
// 32 lane slots that do nothing, charged to the instruction that took the lanes out.

.kernel ifelse
.chip tonga
.grid 1
.block 64
.arg zero=256

	s_load_dwordx2 s[2:3], s[0:1], 0x0      // the first parameter: where the results go
	v_and_b32 v1, 1, v0                     // v0 is the work-item's number; even: 0
	v_cmp_eq_u32 vcc, 0, v1
	s_and_saveexec_b64 s[4:5], vcc
	v_add_u32 v2, vcc, 0x64, v0             // even: number + 100
	s_andn2_b64 exec, s[4:5], exec
	v_mul_u32_u24 v2, 3, v0                 // odd: number * 3
	s_mov_b64 exec, s[4:5]
	v_lshlrev_b32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v4, s3
	v_add_u32 v3, vcc, s2, v1
	v_addc_u32 v4, vcc, 0, v4, vcc
	flat_store_dword v[3:4], v2
	s_endpgm

// expect: arg 0 u32[0..7] = 100 3 102 9 104 15 106 21
// expect: arg 0 u32[62..63] = 162 189
// expect: counter divergent_branch = 1
// expect: bill branched_off = 128
