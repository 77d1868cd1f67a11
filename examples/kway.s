// A switch with four cases: the warp walks through all, each time with a quarter of its lanes.
//
// Thread n takes case n & 3: the value is n + 1, 2 n, n + 300 or 400 - n. A warp cannot be in four places at once.
// Each comparison that splits it pushes the lanes that do not jump, and the lanes that jump run their case at once.
//
// What to look for: three bra split, so four groups of 8 lanes run apart, and `join` sees four arrivals: three that
// only switch to the next waiting group, and a last one that brings all 32 lanes together. While one case runs, 24
// slots of every issue are lost. One joinat is enough for all cases: it marks where they meet, not how many there are.

.kernel kway
.chip g200
.grid 1
.block 32
.arg zero=128                           // out: one word a thread
.const 1 0x0: 1 2 3 400

	and b32 $r1 $r0 0x3
	joinat #join
	set $c0 # e u32 $r1 c1[0x0]     // true is all ones: condition lg, false is zero: condition e
split1:
	(lg $c0) bra #case1
	set $c0 # e u32 $r1 c1[0x4]
split2:
	(lg $c0) bra #case2
	set $c0 # e u32 $r1 c1[0x8]
split3:
	(lg $c0) bra #case3
	add b32 $r2 $r0 0x1             // case 0 is what is left
	bra #join
case1:
	add b32 $r2 $r0 $r0
	bra #join
case2:
	add b32 $r2 $r0 0x12c
	bra #join
case3:
	subr b32 $r2 $r0 c1[0xc]        // subr: second operand minus first
join:
	join shl b32 $r3 $r0 0x2
	add b32 $r3 b32 s[0x10] $r3
	exit st b32 g14[$r3] $r2

// What split1 costs: 24 lanes wait for the two issues of case 1, then the 8 lanes of case 1 wait at the join for the
// nine issues of the others: 48 + 72 = 120 slots. split2: 16 * 2 + 8 * 5 = 72. split3: 8 * 1 + 8 * 2 = 24.
// expect: arg 0 u32[0..7] = 1 2 302 397 5 10 306 393
// expect: arg 0 u32[28..31] = 29 58 330 369
// expect: counter divergent_branch = 3
// expect: counter join_arrivals = 3
// expect: bill rejoin = 96
// expect: pc case1 threads = 8
// expect: pc case3 threads = 8
// expect: pc join issues = 4
// expect: pc join threads = 32
// expect: branch split1 lost = 120
// expect: branch split2 lost = 72
// expect: branch split3 lost = 24
