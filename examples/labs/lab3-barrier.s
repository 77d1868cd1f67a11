// Lab 3: A barrier is for the whole block
//
// question: A block of 128 threads adds up its numbers in shared memory: in each round the threads below
// `stride` add the number that stands `stride` places further on, then the stride is halved. Thread 0 stores
// the sum at the end.
//
// The sum is wrong. Which warps arrive at the barrier, which do not, and what does a warp read that did not
// wait? Move the barrier to the place where it orders the rounds, and add the barrier that is missing.
//
// hint: `bar` stands inside the branch: only lanes below `stride` reach it. A barrier counts warps, so the
// warps that jump over it run ahead, and warps that come with half of their lanes count as whole ones.
// hint: A barrier belongs where all threads of the block come by: behind the join. There, all sums of a round
// are stored before any thread begins the next round.
// hint: The other barrier is missing before the first round: a thread reads numbers that threads of other warps
// store.
//
// goal: The sum is right, for any k.
// expect: with chip=g200 grid=1 block=128 check=none -a zero=4 -a u32=5
// expect: arg 0 u32 = 9312
// expect: with chip=g200 grid=1 block=128 check=none -a zero=4 -a u32=1000
// expect: arg 0 u32 = 330976
// goal: No warp arrives at a barrier with lanes missing.
// expect: counter barrier_diverged = 0
// goal: The checkers find neither a race nor a misused barrier.
// expect: with chip=g200 grid=1 block=128 check=race,barrier -a zero=4 -a u32=5
// expect: exit 0

.kernel sum
.chip g200
.grid 1
.block 128
.smem 0x220                             // 0x20 bytes for launch header and parameters, then 128 words
.arg zero=4                             // out: the sum
.arg u32=5                              // k
.const 1 0x0: 1

	shl $a1 $r0 0x2                 // $a1: place of this thread's number, less 0x20
	mov b32 $r2 $r0                 // n
	mov b32 $r4 b32 s[0x14]         // k
	shr u32 $r5 $r0 0x5
	add b32 $r5 $r5 0x1             // the number of warp w is made in w + 1 steps
number:
	add b32 $r2 $r2 $r4
	xor b32 $r2 $r2 $r0
	sub b32 $c0 $r5 $r5 c1[0x0]
	(lg $c0) bra #number            // all lanes of a warp agree
	st b32 s[$a1+0x20] $r2
	mov b32 $r1 0x40                // stride: 64, 32 … 1
round:
	sub b32 $c0 # $r0 $r1
	joinat #joined
	(ge $c0) bra #joined            // nothing to add in this round
	add b32 $r3 $r0 $r1
	shl $a2 $r3 0x2
	mov b32 $r3 b32 s[$a2+0x20]
	add b32 $r3 b32 s[$a1+0x20] $r3
	st b32 s[$a1+0x20] $r3
	bar inc wait 0x0 all
joined:
	join shr u32 $c0 $r1 $r1 0x1
	(lg $c0) bra #round
	and b32 $c0 # $r0 $r0
	mov b32 $r4 b32 s[0x10]
	mov b32 $r3 b32 s[0x20]
	(e $c0) st b32 g14[$r4] $r3     // thread 0 alone stores the sum
	exit (never) nop

// solution:
// // Lab 3, solved: all warps come by both barriers, with all of their lanes.
//
// .kernel sum
// .chip g200
// .grid 1
// .block 128
// .smem 0x220
// .arg zero=4
// .arg u32=5
// .const 1 0x0: 1
//
// 	shl $a1 $r0 0x2
// 	mov b32 $r2 $r0
// 	mov b32 $r4 b32 s[0x14]
// 	shr u32 $r5 $r0 0x5
// 	add b32 $r5 $r5 0x1
// number:
// 	add b32 $r2 $r2 $r4
// 	xor b32 $r2 $r2 $r0
// 	sub b32 $c0 $r5 $r5 c1[0x0]
// 	(lg $c0) bra #number
// 	st b32 s[$a1+0x20] $r2
// 	mov b32 $r1 0x40
// 	bar inc wait 0x0 all            // all numbers are there
// round:
// 	sub b32 $c0 # $r0 $r1
// 	joinat #joined
// 	(ge $c0) bra #joined
// 	add b32 $r3 $r0 $r1
// 	shl $a2 $r3 0x2
// 	mov b32 $r3 b32 s[$a2+0x20]
// 	add b32 $r3 b32 s[$a1+0x20] $r3
// 	st b32 s[$a1+0x20] $r3
// joined:
// 	join shr u32 $c0 $r1 $r1 0x1
// 	bar inc wait 0x0 all            // all sums of this round are there
// 	(lg $c0) bra #round
// 	and b32 $c0 # $r0 $r0
// 	mov b32 $r4 b32 s[0x10]
// 	mov b32 $r3 b32 s[0x20]
// 	(e $c0) st b32 g14[$r4] $r3
// 	exit (never) nop
