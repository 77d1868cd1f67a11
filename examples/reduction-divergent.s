// A sum over a block, the obvious way: the threads that work are spread over all warps.
//
// 128 threads each put their number into shared memory. With stride 1, 2, 4 … 64, thread n adds the element `stride`
// further on if n is a multiple of 2 * stride. The answer, 0 + 1 + … + 127 = 8128, ends in element 0.
//
// What to look for: in the first round every second lane of all four warps works, in the next every fourth, so all
// four warps go through the body of the if for five rounds, with fewer and fewer lanes in it. divergent_branch counts
// 4 warps * 5 rounds, then 2 and 1 warps: 23. The bill has 13,632 lane slots, of which that branch loses 3,045 (22 %),
// and the joins another 736. reduction-contiguous computes the same sum with 5 splits, 645 lost and 160 for the joins.

.kernel reduction_divergent
.chip g200
.grid 1
.block 128
.smem 0x220                             // 0x20 bytes for launch header and parameters, then 128 words
.arg zero=4                             // out: the sum
.const 1 0x0: 1 128

	shl $a1 $r0 0x2                 // $a1: where this thread's element is, less 0x20
	st b32 s[$a1+0x20] $r0
	mov b32 $r1 0x1                 // stride
	bar inc wait 0x0 all            // all elements are there
round:
	add b32 $r2 $r1 $r1
	sub b32 $r3 $r2 c1[0x0]         // 2 * stride - 1
	and b32 $c0 # $r0 $r3
	joinat #joined
split:
	(lg $c0) bra #joined            // not a multiple of 2 * stride: nothing to do
	add b32 $r3 $r0 $r1
	shl $a2 $r3 0x2
	mov b32 $r3 b32 s[$a2+0x20]
	add b32 $r3 b32 s[$a1+0x20] $r3
	st b32 s[$a1+0x20] $r3
joined:
	join mov b32 $r1 $r2            // stride doubles
	bar inc wait 0x0 all            // all sums of this round are there
	sub b32 $c0 # $r1 c1[0x4]
	(lg $c0) bra #round
	and b32 $c0 # $r0 $r0
	mov b32 $r4 b32 s[0x10]
	mov b32 $r3 b32 s[0x20]
	(e $c0) st b32 g14[$r4] $r3     // thread 0 alone writes the sum
	exit (never) nop

// expect: arg 0 u32 = 8128
// expect: s[0x20] u32[0..2] = 8128 1 5
// expect: counter divergent_branch = 23
// expect: branch split splits = 23
// expect: branch split lost = 3045
// expect: bill lane_slots = 13632
// expect: bill rejoin = 736
// expect: counter join_arrivals = 23
