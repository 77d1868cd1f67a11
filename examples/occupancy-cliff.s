// Ten registers a thread or eleven: on a g80 that is 24 resident warps or 16.
//
// A multiprocessor of the g80 has 8192 registers and room for 24 warps. Blocks here have 256 threads, 8 warps. With 10
// registers a block takes 2560 (in units of 256), so three blocks fit, 7680 of 8192. With 11 it takes 2816, three
// would need 8448, and only two blocks fit. One register more, and a third of the warps that could hide latency is
// gone.
//
// What to look for: `warpbeam occ --chip g80 --threads 256 --regs 11 --smem 20 --explain` gives the formula with the
// numbers. Run this file as it is and with --regs 11: the work, the results and the instructions are the same; what
// changes is how many blocks share the multiprocessor and, with that, how well waiting is hidden: compare cycles, and
// see latency-hiding.

.kernel occupancy_cliff
.chip g80
.grid 48                                // three blocks for each of the g80's 16 multiprocessors
.block 256
.regs 10
.arg zero=49152                         // out: one word a thread

	mov b16 $r1l u16 s[0x2]
	add $r0 (mul u16 u16 s[0xc] $r1l) $r0   // the thread's number in the grid
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	add b32 $r9 $r0 $r0                     // $r9 is the tenth register
	exit st b32 g14[$r1] $r9

// expect: arg 0 u32[0..3] = 0 2 4 6
// expect: arg 0 u32[12287] = 24574
// expect: counter sm_cta_launched = 48
// expect: counter instructions = 2304
// expect: with regs=11
// expect: arg 0 u32[12287] = 24574
// expect: counter instructions = 2304
