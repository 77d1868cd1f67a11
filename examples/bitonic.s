// Bitonic sort by one block: a program full of comparisons, and not one divergent branch.
//
// In each of 45 rounds every thread compares two elements, i and i + j, and puts the smaller one first, or the larger
// one where bit k of i says that this segment is to descend. Which elements a thread compares depends on its number
// alone, never on the data.
//
// What to look for: `min` and `max` replace the if, and predicates choose which goes where. Every lane of every warp
// does the same work whatever the numbers are: the bill has only useful and predicated slots, and the time does not
// depend on the data. The barrier in each round is the price: a round may not start before the last one is complete.
// (And the banks of shared memory: where i runs over every other word, two lanes want one bank; see warp_serialize.)

.kernel bitonic
.chip g200
.grid 1
.block 256
.smem 0x820                             // 0x20 bytes for launch header and parameters, then 512 words
.arg zero=2048                          // out: the sorted numbers
.const 1 0x0: 1 512

	shl $a1 $r0 0x2
	mov b16 $r1l 0x9e37
	mul $r2 u16 $r0l u16 $r1l       // the numbers to sort: 40503 n mod 65536, n = 0 … 511
	and b32 $r2 $r2 0xffff
	add b32 $r3 $r0 0x100
	mul $r3 u16 $r3l u16 $r1l
	and b32 $r3 $r3 0xffff
	st b32 s[$a1+0x20] $r2
	st b32 s[$a1+0x420] $r3
	mov b32 $r1 0x2                 // k: stretches of k elements are sorted after this stage
stage:
	shr u32 $r2 $r1 0x1             // j
round:
	bar inc wait 0x0 all
	sub b32 $r3 $r2 c1[0x0]
	and b32 $r3 $r0 $r3
	add b32 $r4 $r0 $r0
	sub b32 $r3 $r4 $r3             // i = 2 n - (n & (j - 1))
	add b32 $r4 $r3 $r2             // i + j
	shl $a1 $r3 0x2
	shl $a2 $r4 0x2
	ld $r4 b32 s[$a1+0x20]
	ld $r5 b32 s[$a2+0x20]
	and b32 $c0 # $r3 $r1           // e: ascending
	min u32 $r6 $r4 $r5
	max u32 $r7 $r4 $r5
	(e $c0) st b32 s[$a1+0x20] $r6
	(e $c0) st b32 s[$a2+0x20] $r7
	(lg $c0) st b32 s[$a1+0x20] $r7
	(lg $c0) st b32 s[$a2+0x20] $r6
	shr u32 $c1 $r2 $r2 0x1
	(lg $c1) bra #round
	shl b32 $r1 $r1 0x1
	sub b32 $c1 # $r1 c1[0x4]
	(le $c1) bra #stage             // up to k = 512
	bar inc wait 0x0 all
	shl $a1 $r0 0x2
	ld $r4 b32 s[$a1+0x20]
	ld $r5 b32 s[$a1+0x420]
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	st b32 g14[$r1] $r4
	add b32 $r1 $r1 0x400
	exit st b32 g14[$r1] $r5

// 45 rounds of 256 threads, with two of the four stores off in each lane: 23040.
// expect: arg 0 u32[0..3] = 0 15 30 287
// expect: arg 0 u32[510..511] = 65264 65279
// expect: arg 0 crc32 = 93f8eaaf
// expect: counter divergent_branch = 0
// expect: counter warp_serialize = 1984
// expect: bill predicated = 23040
// expect: bill branched_off = 0
