// No joinat, no join: the halves of a warp never meet again, and the rest is issued twice.
//
// The same program as ifelse, with the two markers left out. The results are the same, because masks and stack keep
// each lane on its own way whatever the compiler forgot. The cost is not.
//
// What to look for: the odd lanes run to the end of the program, exit, and only then do the even lanes start. `tail`
// is issued twice for 16 lanes each instead of once for 32, and so is everything after it. In a short program that is
// four issues; in a loop it would be the rest of the run. Compare with ifelse.

.kernel unreconverged
.chip g200
.grid 1
.block 32
.arg zero=128                           // out: one word a thread
.const 1 0x0: 1

	and b32 $c0 # $r0 c1[0x0]
split:
	(lg $c0) bra #odd
	add b32 $r4 $r0 0x64            // even: n + 100
	bra #tail
odd:
	add b32 $r4 $r0 $r0             // odd: 3 n
	add b32 $r4 $r4 $r0
tail:
	mov b32 $r5 b32 s[0x10]
	shl b32 $r1 $r0 0x2
	add b32 $r5 $r5 $r1
	exit st b32 g14[$r5] $r4

// The odd side issues 2 + 4, the even side 2 + 4. Until the odd lanes are done 16 even lanes wait (6 issues); then 16
// odd lanes are dead (6 issues). All of it is charged to the bra: with a joinat they would have met at `tail`. A warning
// says so, and what to write where.
// expect: arg 0 u32[0..7] = 100 3 102 9 104 15 106 21
// expect: arg 0 u32[30..31] = 130 93
// expect: counter instructions = 14
// expect: pc tail issues = 2
// expect: pc tail threads = 32
// expect: branch split lost = 192
// expect: bill branched_off = 96
// expect: bill exited = 96
// expect: bill rejoin = 0
