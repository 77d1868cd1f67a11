#!/bin/sh
# Grids of three dimensions, by option, directive and comment, where a machine has them.
#   grid.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1

# Thread x, y, z of block x, y, z stores the six numbers as digits of a word.
cat >ids.s <<'END'
.kernel ids
.chip tonga
.param u64 out
.regs 12
.grid 2,3,4
.block 2,2,2
.arg zero=768
	s_load_dwordx2 s[6:7], s[0:1], 0x0
	s_mul_i32 s8, s4, 3              // block: (z * 3 + y) * 2 + x
	s_add_u32 s8, s8, s3
	s_lshl_b32 s8, s8, 1
	s_add_u32 s8, s8, s2
	s_lshl_b32 s8, s8, 5             // 8 threads of 4 bytes
	v_lshlrev_b32 v3, 2, v2          // thread: z * 4 + y * 2 + x
	v_lshlrev_b32 v4, 1, v1
	v_add_u32 v3, vcc, v3, v4
	v_add_u32 v3, vcc, v3, v0
	v_lshlrev_b32 v3, 2, v3
	s_lshl_b32 s9, s4, 8
	s_lshl_b32 s10, s3, 4
	s_add_u32 s9, s9, s10
	s_add_u32 s9, s9, s2
	v_lshlrev_b32 v5, 8, v2
	v_lshlrev_b32 v6, 4, v1
	v_or_b32 v5, v5, v6
	v_or_b32 v5, v5, v0
	v_lshlrev_b32 v5, 12, v5
	v_or_b32 v5, s9, v5
	s_waitcnt lgkmcnt(0)
	s_add_u32 s6, s6, s8
	s_addc_u32 s7, s7, 0
	v_mov_b32 v8, s7
	v_add_u32 v7, vcc, s6, v3
	v_addc_u32 v8, vcc, 0, v8, vcc
	flat_store_dword v[7:8], v5
	s_endpgm
END
awk 'BEGIN {
	for (b = 0; b < 24; b++)
		for (t = 0; t < 8; t++)
			printf "%d%d%d%d%d%d\n", int(t / 4), int(t / 2) % 2, t % 2, int(b / 6), int(b / 2) % 3, b % 2
}' >expected
words() { od -An -v -tx4 -w4 words | sed 's/^ *00//' | cmp - expected; }
run() { "$warpbeam" run "$@" >out 2>err; }

run ids.s -a out=words:768 && words
result $? 'a directive .grid 2,3,4' || outputs
run ids.s -a out=words:768 --grid 2,3,4 --in-order && words
result $? '--grid 2,3,4 --in-order' || outputs
check 0 out 'grid 2x3x4, block 2x2x2' "$warpbeam" run ids.s
check 0 out '"grid": "2,3,4"' "$warpbeam" run ids.s --json
check 0 out 'grid 2x3, ' "$warpbeam" run ids.s --grid 2,3
check 0 out 'grid 2,3,4, block 2,2,2' "$warpbeam" info ids.s
"$warpbeam" dis --source ids.s >again.s && grep -q '^\.grid 2,3,4$' again.s && run again.s -a out=words:768 && words
result $? 'a listing that is put together again' || outputs
check 2 err '65535,65535,2 blocks, expected at most 4294967295' "$warpbeam" run ids.s --grid 65535,65535,2
check 2 err 'expected X\[,Y\[,Z\]\] with 1 to 65535 in place 3' "$warpbeam" run ids.s --grid 1,1,0
"$warpbeam" report ids.s -o page.html >out 2>err && grep -q '2×3×4' page.html
result $? 'the page has no grid of three dimensions' || outputs

# Tesla has two dimensions.
check 2 err 'a grid of 1,1,2 blocks: grids of chip g200 have two dimensions' "$warpbeam" run ifelse --grid 1,1,2
printf '.grid 1,2,2\n\texit nop\n' >z.s
check 2 err 'a grid of 1,2,2 blocks: grids of chip g200 have two dimensions' "$warpbeam" run z.s
check 0 out ': ok' "$warpbeam" run z.s --grid 1,2,1

# A comment of OpenCL C, and what the language's functions say.
cat >ids.cl <<'END'
// .grid 2,3,4
// .block 2,2,2
// .arg zero=768
kernel void ids(global uint *out)
{
	uint b = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
	uint t = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);

	out[b * 8 + t] = get_local_id(2) << 20 | get_local_id(1) << 16 | get_local_id(0) << 12 | get_group_id(2) << 8 |
			 get_group_id(1) << 4 | get_group_id(0);
	if (get_global_id(2) != get_group_id(2) * 2 + get_local_id(2) || get_global_size(2) != 8)
		out[b * 8 + t] = ~0;
}
END
if "$warpbeam" info ids.cl >out 2>err; then
	run ids.cl -a out=words:768 && words
	result $? 'OpenCL C, // .grid 2,3,4' || outputs
elif ! grep -q install err; then
	result 1 'ids.cl' || outputs
fi
# 81 blocks on 80 multiprocessors with places for two blocks each, 64 warps: most places stay empty, the last one's too.
cat >places.ptx <<'END'
.version 6.5
.target sm_70
.address_size 64
.visible .entry places(.param .u64 p)
{
	.reg .b64 %p, %o;
	.reg .b32 %b, %n;
	ld.param.u64 %p, [p];
	mov.u32 %b, %ctaid.x;
	mul.wide.u32 %o, %b, 4;
	add.u64 %p, %p, %o;
	bar.sync 0;
	atom.global.add.u32 %n, [%p], %b;
	ret;
}
END
awk 'BEGIN { for (b = 0; b < 81; b++) print b * 1024 }' >expected
ok 'a grid with empty places' "$warpbeam" run places.ptx --chip v100 --timing off --grid 81 --block 1024 -q \
	-a out=words:324
od -An -v -tu4 -w4 words | tr -d ' ' | cmp - expected
result $? 'each block has run once' || outputs

finish
