// A histogram: a lock for each bin in shared memory, atomic additions between blocks.
//
// Two blocks of 64 threads. Each thread has eight values 0 … 15, made from its number, and counts them in the block's
// 16 bins. Then 16 threads of each block add its bins to the result in global memory.
//
// What to look for: `ld lock` gives the lock to one lane of the warp; that lane counts and unlocks under its
// predicate, and the others branch back. Unlike in lock-ok the critical part is before the branch, so the winner never
// waits with the lock in its hand, whichever side runs first. Still a warp needs 32 rounds for its 32 values, and in
// the last of them one lane works: this is what `red`, the atomic of global memory at the end, spares.

.kernel histogram
.chip g200
.grid 2
.block 64
.smem 0x60                              // 0x20 bytes for launch header and parameters, then 16 bins
.arg zero=64                            // out: 16 counts
.const 1 0x0: 1 16 7

	shl $a1 $r0 0x2
	sub b32 $c1 # $r0 c1[0x4]       // l: the first 16 threads
	mov b32 $r1 0x0
	(l $c1) st b32 s[$a1+0x20] $r1
	mov b16 $r1l u16 s[0x2]
	mov b32 $r2 $r0
	add $r2 (mul u16 u16 s[0xc] $r1l) $r2   // n, the thread's number in the grid
	mul $r2 u16 $r2l u16 $r2l       // the values are (n² + 7 k) / 4 mod 16, k = 8 … 1
	add b32 $r2 $r2 0x38
	mov b32 $r3 0x8                 // k
	bar inc wait 0x0 all
value:
	and b32 $r4 $r2 0x3c
	shl $a2 $r4 0x0                 // (value / 4 mod 16) * 4: the bin
	joinat #counted
try:
	ld lock $c0 $r4 b32 s[$a2+0x20]
	(l $c0) add b32 $r4 $r4 c1[0x0]
	(l $c0) st unlock b32 s[$a2+0x20] $r4
again:
	(geu $c0) bra #try
counted:
	join sub b32 $r2 $r2 c1[0x8]    // k is one less
	sub b32 $c0 $r3 $r3 c1[0x0]
	(lg $c0) bra #value
	bar inc wait 0x0 all
	(ge $c1) ret
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	ld $r2 b32 s[$a1+0x20]
	exit red add u32 g14[$r1] $r2

// Every value is a lock that one lane gets: 2 * 64 * 8 = 1024 rounds of `try`, and all but the last of a warp's 32 go
// around again: 31 of 32 split.
// expect: arg 0 u32[0..7] = 64 64 64 64 48 80 48 80
// expect: arg 0 u32[8..15] = 64 64 64 64 80 48 80 48
// expect: pc try issues = 1024
// expect: pc try threads = 16896
// expect: branch again splits = 992
// expect: with diverge=fall
// expect: arg 0 u32[0..7] = 64 64 64 64 48 80 48 80
// expect: arg 0 u32[8..15] = 64 64 64 64 80 48 80 48
