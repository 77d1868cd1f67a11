// Straight-line code: no branch, so every lane slot of every issue does useful work.
//
// Each thread computes 3 n + 7 from its own number n. A warp is 32 threads that share one program counter: the block's
// 64 threads are two warps, and each instruction below is issued twice, once for each warp, 32 lanes at a time.
//
// What to look for: instructions is twice the seven lines of code, thread_instructions is 32 times that, and the bill
// has a single entry, useful. This is the best a warp machine can do; the other examples show how programs fall short
// of it.

.kernel straight
.chip g200
.grid 1
.block 64
.arg zero=256                           // out: one word a thread

	shl b32 $r1 $r0 0x2             // $r0 starts as the thread's number n; a word is 4 bytes
	mov b32 $r2 b32 s[0x10]         // the first parameter: the address of out
	add b32 $r2 $r2 $r1             // &out[n]
	add b32 $r3 $r0 $r0
	add b32 $r3 $r3 $r0             // 3 n
	add b32 $r3 $r3 0x7
	exit st b32 g14[$r2] $r3        // `exit` ends the thread after the store

// expect: arg 0 u32[0..7] = 7 10 13 16 19 22 25 28
// expect: arg 0 u32[62..63] = 193 196
// expect: counter instructions = 14
// expect: counter thread_instructions = 448
// expect: counter branch = 0
// expect: bill useful = 448
// expect: bill lane_slots = 448
