// A block of 40 threads: its second warp has 8 threads and 24 lanes that never existed.
//
// A warp always has 32 lanes. 40 threads need two warps; the machine launches the second with lanes 8 to 31 off for
// good.
//
// What to look for: `absent` in the bill, 24 slots for each of the 5 issues of warp 1, 120 in all. No branch caused it
// and no compiler can mend it: choose block sizes that are multiples of 32.

.kernel partial_warp
.chip g200
.grid 1
.block 40
.arg zero=256                           // out: 64 words, of which 40 are written

	shl b32 $r1 $r0 0x2
	mov b32 $r2 b32 s[0x10]
	add b32 $r2 $r2 $r1
	add b32 $r3 $r0 0x1
	exit st b32 g14[$r2] $r3

// expect: arg 0 u32[0..39] = 1..40
// expect: arg 0 u32[40..63] = 0
// expect: counter instructions = 10
// expect: counter thread_instructions = 200
// expect: bill absent = 120
// expect: bill useful = 200
