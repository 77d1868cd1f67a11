// The same sum with the working threads side by side, so that whole warps work or rest.
//
// With stride 64, 32 … 1, thread n adds element n + stride if n < stride. The sum is the same, 8128, but not the threads
// that compute it: in the first round the threads 0 to 63 are the warps 0 and 1, and the warps 2 and 3 jump over the
// body together.
//
// What to look for: no warp splits in the rounds with 64 and 32 threads. Only the last five rounds, where warp 0 alone
// has fewer threads than lanes, diverge: divergent_branch is 5 instead of 23. The bodies are the same six
// instructions; only the threads that run them changed. (Neighbouring threads also use neighbouring words, so the
// accesses never fall on one bank, which those of the other version do.)

.kernel reduction_contiguous
.chip g200
.grid 1
.block 128
.smem 0x220                             // 0x20 bytes for launch header and parameters, then 128 words
.arg zero=4                             // out: the sum

	shl $a1 $r0 0x2                 // $a1: where this thread's element is, less 0x20
	st b32 s[$a1+0x20] $r0
	mov b32 $r1 0x40                // stride
	bar inc wait 0x0 all            // all elements are there
round:
	sub b32 $c0 # $r0 $r1
	joinat #joined
split:
	(ge $c0) bra #joined            // in the upper half: nothing to do
	add b32 $r3 $r0 $r1
	shl $a2 $r3 0x2
	mov b32 $r3 b32 s[$a2+0x20]
	add b32 $r3 b32 s[$a1+0x20] $r3
	st b32 s[$a1+0x20] $r3
joined:
	join shr u32 $c0 $r1 $r1 0x1    // stride halves
	bar inc wait 0x0 all            // all sums of this round are there
	(lg $c0) bra #round
	and b32 $c0 # $r0 $r0
	mov b32 $r4 b32 s[0x10]
	mov b32 $r3 b32 s[0x20]
	(e $c0) st b32 g14[$r4] $r3     // thread 0 alone writes the sum
	exit (never) nop

// expect: bill branched_off = 645
// expect: bill rejoin = 160
// expect: arg 0 u32 = 8128
// expect: counter divergent_branch = 5
// expect: branch split splits = 5
// expect: counter join_arrivals = 5
// expect: counter warp_serialize = 0
