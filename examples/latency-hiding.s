// A chain of loads: nothing inside a thread can hide the wait, only other warps can.
//
// Each thread stores into its own word the address of that word, and then follows the pointer 16 times. A load from
// global memory takes hundreds of cycles, and the next one cannot start before it is back.
//
// What to look for: the instructions of a warp do not depend on how many warps there are, 32 with one warp and 512
// with sixteen. The cycles hardly do either: one warp spends nearly all its time waiting, and sixteen wait for each
// other's loads at the same time, so that 16 times the work takes about as long as once. Run this file as it is and
// with --block 512, and compare cycles and ipc.

.kernel latency_hiding
.chip g200
.grid 1
.block 32
.arg zero=2048                          // chain: one word a thread, for up to 512 threads
.arg zero=2048                          // out: likewise
.const 1 0x0: 1

	shl b32 $r1 $r0 0x2
	add b32 $r2 b32 s[0x10] $r1     // &chain[n]
	st b32 g14[$r2] $r2             // it points to itself
	mov b32 $r3 0x4
hop:
	ld b32 $r2 g14[$r2]
	ld b32 $r2 g14[$r2]
	ld b32 $r2 g14[$r2]
	ld b32 $r2 g14[$r2]
	sub b32 $c0 $r3 $r3 c1[0x0]
	(lg $c0) bra #hop
	mov b32 $r4 b32 s[0x10]
	sub b32 $r2 $r2 $r4             // how far into chain the last pointer points: 4 n
	add b32 $r1 b32 s[0x14] $r1
	exit st b32 g14[$r1] $r2

// Sixteen loads follow each other, of 440 cycles each on g200 (Wong et al. 2010); the bounds are 16 * 400 and 16 * 600.
// expect: arg 1 u32[0..3] = 0 4 8 12
// expect: arg 1 u32[31] = 124
// expect: counter instructions = 32
// expect: with timing=on
// expect: counter cycles > 6400
// expect: with timing=on block=512
// expect: arg 1 u32[511] = 2044
// expect: counter instructions = 512
// expect: counter cycles < 9600
