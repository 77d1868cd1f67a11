// A loop with the same trip count for all lanes: it branches every time and never splits.
//
// Each thread adds its number ten times. The counter is in a register of every lane, yet all lanes hold the same
// value: the backward bra is taken by all 32 lanes nine times, and by none the tenth time.
//
// What to look for: 20 branches in two warps, none divergent, and nothing but useful slots in the bill. Branches are
// not what costs; disagreement is. Compare with loop-varying.

.kernel loop_uniform
.chip g200
.grid 1
.block 64
.arg zero=256                           // out: one word a thread
.const 1 0x0: 1

	mov b32 $r1 0xa                 // trips left
	mov b32 $r2 0x0                 // the sum
loop:
	add b32 $r2 $r2 $r0
	sub b32 $c0 $r1 $r1 c1[0x0]     // sets the flags: lg while trips are left
back:
	(lg $c0) bra #loop
	shl b32 $r3 $r0 0x2
	add b32 $r3 b32 s[0x10] $r3
	exit st b32 g14[$r3] $r2

// Instructions of a warp: 2 before the loop, 3 in each of 10 trips, 3 after it.
// expect: arg 0 u32[0..3] = 0 10 20 30
// expect: arg 0 u32[63] = 630
// expect: counter instructions = 70
// expect: counter branch = 20
// expect: counter divergent_branch = 0
// expect: pc back taken = 18
// expect: pc back not_taken = 2
// expect: bill useful = 2240
// expect: bill lane_slots = 2240
