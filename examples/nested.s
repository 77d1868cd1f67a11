// An if inside an if: 32 lanes, then 16, then 8, and the stack remembers the way back.
//
// Bit 0 of the thread's number n decides the outer if; on both sides bit 1 decides an inner one. The four results are
// n + 10, n + 20, n + 30 and n + 40.
//
// What to look for: every if has its own joinat and join, as every compiler writes it. The stack is deepest inside the
// inner if: joinat and branch of the outer one, joinat and branch of the inner one, four entries. A bra is charged for
// all that the lanes it parted miss until they meet again, so the outer one pays for everything inside it: 208 slots,
// where the inner ones pay 24 each.

.kernel nested
.chip g200
.grid 1
.block 32
.arg zero=128                           // out: one word a thread
.const 1 0x0: 1 2

	and b32 $c0 # $r0 c1[0x0]       // # throws the result away; only the flags in $c0 are wanted
	and b32 $c1 # $r0 c1[0x4]
	joinat #outer_join
outer:
	(lg $c0) bra #odd
	joinat #even_join
inner_even:
	(lg $c1) bra #even_high
	add b32 $r2 $r0 0xa             // n = 0, 4, 8 …
	bra #even_join
even_high:
	add b32 $r2 $r0 0x1e            // n = 2, 6, 10 …
even_join:
	join (never) nop
	bra #outer_join
odd:
	joinat #odd_join
inner_odd:
	(lg $c1) bra #odd_high
	add b32 $r2 $r0 0x14            // n = 1, 5, 9 …
	bra #odd_join
odd_high:
	add b32 $r2 $r0 0x28            // n = 3, 7, 11 …
odd_join:
	join (never) nop
outer_join:
	join shl b32 $r3 $r0 0x2
	add b32 $r3 b32 s[0x10] $r3
	exit st b32 g14[$r3] $r2

// The odd side runs first: joinat, bra, add, (an arrival,) add, bra, join; then the even side: the same and a bra. The
// other 16 lanes lose 6 and 7 slots, 208 in all; arrivals are counted apart, as rejoin. Inside, 8 lanes lose the one
// add of the side that jumps, then the other 8 lose the add and the bra of the side that does not: 24.
// expect: arg 0 u32[0..7] = 10 21 32 43 14 25 36 47
// expect: arg 0 u32[28..31] = 38 49 60 71
// expect: counter divergent_branch = 3
// expect: counter stack_depth = 4
// expect: counter join_arrivals = 3
// expect: branch outer lost = 208
// expect: branch inner_even lost = 24
// expect: branch inner_odd lost = 24
// expect: pc even_high threads = 8
// expect: pc odd_join threads = 16
// expect: pc outer_join threads = 32
