// Lab 1: A branch that costs nothing
//
// question: Each of 64 threads makes a number of its own number n. The second warp adds 1000; then even threads
// add k, the second parameter, and odd threads take their number three times. There are two branches, `whole`
// and `half`.
//
// Which of them costs lane slots, and why does the other not? Look at the bill, or step with `d` to the next
// divergence. Then change the program so that no lane ever waits for lanes on another side.
//
// hint: A branch costs nothing if all lanes of a warp agree. `whole` asks for bit 5 of n, which is the same for
// 32 neighbours; `half` asks for bit 0.
// hint: Both sides of `half` are one or two instructions. Put the condition on the instructions instead of
// jumping around them: `(lg $c0) add …` is done by the lanes for which the condition holds, `(e $c0) add …` by
// the others.
// hint: Take joinat, both bra and the marker `join` of this branch away, and mind the order: the odd side needs
// the old $r4 twice.
//
// goal: The results are those of the program as it was handed out, for any k.
// expect: with chip=g200 grid=1 block=64 -a zero=256 -a u32=100
// expect: arg 0 u32[0..7] = 100 3 102 9 104 15 106 21
// expect: arg 0 crc32 = 1670d57d
// expect: with chip=g200 grid=1 block=64 -a zero=256 -a u32=7
// expect: arg 0 u32[0..7] = 7 3 9 9 11 15 13 21
// expect: arg 0 crc32 = 21148080
// goal: No branch splits a warp.
// expect: counter divergent_branch = 0
// goal: No lane slot is lost to lanes that branched off, nor to arrivals at a join.
// expect: bill branched_off = 0
// expect: bill rejoin = 0
// goal: All is done within 1,000 lane slots.
// expect: bill lane_slots <= 1000

.kernel branch
.chip g200
.grid 1
.block 64
.arg zero=256                           // out: one word a thread
.arg u32=100                            // k
.const 1 0x0: 1 32

	mov b32 $r4 $r0                 // $r0 is n, the thread's number
	and b32 $c1 # $r0 c1[0x4]       // bit 5: which warp
whole:
	(e $c1) bra #numbers
	add b32 $r4 $r4 0x3e8
numbers:
	and b32 $c0 # $r0 c1[0x0]       // bit 0: odd or even
	joinat #store
half:
	(lg $c0) bra #odd
	add b32 $r4 b32 s[0x14] $r4     // even: + k
	bra #store
odd:
	add b32 $r5 $r4 $r4             // odd: * 3
	add b32 $r4 $r5 $r4
store:
	join shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	exit st b32 g14[$r1] $r4

// solution:
// // Lab 1, solved: the condition stands before the instructions, and nothing jumps where lanes disagree.
//
// .kernel branch
// .chip g200
// .grid 1
// .block 64
// .arg zero=256
// .arg u32=100
// .const 1 0x0: 1 32
//
// 	mov b32 $r4 $r0
// 	and b32 $c1 # $r0 c1[0x4]
// whole:
// 	(e $c1) bra #numbers            // all lanes of a warp agree: free
// 	add b32 $r4 $r4 0x3e8
// numbers:
// 	and b32 $c0 # $r0 c1[0x0]
// 	add b32 $r5 $r4 $r4
// 	(lg $c0) add b32 $r4 $r5 $r4    // odd lanes: * 3
// 	(e $c0) add b32 $r4 b32 s[0x14] $r4     // even lanes: + k
// 	shl b32 $r1 $r0 0x2
// 	add b32 $r1 b32 s[0x10] $r1
// 	exit st b32 g14[$r1] $r4
