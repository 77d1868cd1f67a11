// Two warps exchange values through shared memory; behind the barrier every value has arrived.
//
// Thread n writes n * n to s[], waits for the whole block, and reads what thread 63 - n wrote. The threads of warp 0
// need values of warp 1 and the other way round, and nothing else keeps the two warps in step.
//
// What to look for: `bar inc wait 0x0 all` is __syncthreads(): it counts this warp at barrier 0 and waits until all
// warps of the block have been counted. A barrier counts warps, not threads. Take it out, and warp 0 reads zeros, or
// not, depending on which warp happened to be ahead.

.kernel barrier
.chip g200
.grid 1
.block 64
.smem 0x120                             // 0x20 bytes for launch header and parameters, then 64 words
.arg zero=256                           // out: one word a thread

	shl $a1 $r0 0x2
	mul $r1 u16 $r0l u16 $r0l       // the low half of $r0 is enough for n
	st b32 s[$a1+0x20] $r1
	bar inc wait 0x0 all
	mov b32 $r2 0x3f
	sub b32 $r2 $r2 $r0             // 63 - n
	shl $a2 $r2 0x2
	mov b32 $r3 b32 s[$a2+0x20]
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	exit st b32 g14[$r1] $r3

// expect: arg 0 u32[0..3] = 3969 3844 3721 3600
// expect: arg 0 u32[60..63] = 9 4 1 0
// expect: s[0x20] u32[0..4] = 0 1 4 9 16
// expect: counter barrier_diverged = 0
// expect: counter divergent_branch = 0
