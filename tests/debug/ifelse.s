// If and else: one branch splits every warp, and the lanes of each half wait while the other half works.
//
// Each thread looks at the lowest bit of its number: even threads add 100, odd threads multiply by 3. A warp has one
// program counter, so it walks through both sides, with 16 of its 32 lanes active in each.
//
// What to look for: `bra` splits once in each warp, and each of the two instructions on either side costs 16 lane
// slots that do nothing, 64 in a warp, all charged to that bra. `joinat` says where the halves will meet. The first
// half to reach the join is put aside there (one issue, rejoining); the second brings all 32 lanes on.

.kernel ifelse
.chip g200
.grid 1
.block 64
.arg zero=256

	mov b32 $r2 0x1
	and b32 $c0 # $r0 $r2               // $r0 is the thread's number; odd: not zero
	joinat #end
	(lg $c0) bra #odd
	add b32 $r4 $r0 0x64                // even: number + 100
	bra #end
odd:
	add b32 $r4 $r0 $r0                 // odd: number * 3
	add b32 $r4 $r4 $r0
end:
	join mov b32 $r5 b32 s[0x10]            // the first parameter: where the results go
	shl b32 $r1 $r0 0x2
	add b32 $r5 $r5 $r1
	exit st b32 g14[$r5] $r4

// expect: arg 0 u32[0..7] = 100 3 102 9 104 15 106 21
// expect: arg 0 u32[62..63] = 162 189
// expect: counter divergent_branch = 2
// expect: counter join_arrivals = 2
// expect: bill branched_off = 128
// expect: bill rejoin = 64
// expect: branch 0x18 lost = 128
