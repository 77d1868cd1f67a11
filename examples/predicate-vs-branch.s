// Two ways to write "if n is odd, add 100": a predicate on the instruction, or a branch around it.
//
// First with a predicate: `(lg $c0) add` is issued for the warp and only the odd lanes write. Then with a branch, on
// another register. Then a third time, where the condition is the same for all lanes and the body is longer.
//
// What to look for: for one instruction the predicate is far cheaper. It costs one issue with 16 slots off; the branch
// needs joinat, bra, the add, and two arrivals at the join. But a predicate issues its instructions whether anyone
// needs them or not: the four adds of the third part, needed by no lane, would cost four issues, and a bra that all
// lanes take skips them for one. Compilers of the time used predicates for bodies of a few instructions.

.kernel predicate_vs_branch
.chip g200
.grid 1
.block 32
.arg zero=256                           // out: two words a thread
.const 1 0x0: 1 100

	and b32 $c0 # $r0 c1[0x0]       // $c0: lg in odd lanes
	mov b32 $r2 $r0
	mov b32 $r3 $r0
predicated:
	(lg $c0) add b32 $r2 $r2 c1[0x4]

	joinat #joined
split:
	(e $c0) bra #joined             // the even lanes have nothing to do
body:
	add b32 $r3 $r3 0x64
joined:
	join set $c1 # g u32 $r0 c1[0x4]        // n > 100: true in no lane
uniform:
	(e $c1) bra #store              // all lanes jump: no split, so no joinat is needed
	add b32 $r2 $r2 $r2
	add b32 $r3 $r3 $r3
	add b32 $r2 $r2 $r3
	add b32 $r3 $r3 $r2
store:
	shl b32 $r1 $r0 0x3
	add b32 $r1 b32 s[0x10] $r1
	exit st b64 g14[$r1] $r2d

// The branch: the even lanes jump, and their arrival at the join is one issue of 32 slots that does nothing else. Then
// the odd lanes do the add while 16 lanes wait. 12 lines are issued once each, the join twice, the four skipped ones
// never.
// expect: arg 0 u32[0..7] = 0 0 101 101 2 2 103 103
// expect: arg 0 u32[60..63] = 30 30 131 131
// expect: bill predicated = 16
// expect: bill branched_off = 16
// expect: bill rejoin = 32
// expect: counter divergent_branch = 1
// expect: pc predicated issues = 1
// expect: pc predicated threads = 16
// expect: pc body threads = 16
// expect: counter instructions = 13
