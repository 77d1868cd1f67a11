// A barrier on both sides of an if: no hang on this machine, only no barrier any more.
//
// Warp 0 splits: its odd lanes write their values to s[] and reach one `bar`, its even lanes write theirs and reach
// another. Warp 1 goes through a `bar` with all its lanes and then reads what warp 0 wrote. CUDA forbids this program.
//
// What to look for: a barrier counts warps, whatever their masks. The odd half of warp 0 arrives and counts as the
// whole warp. When warp 1 arrives, all of two warps are there, and it goes on, before the even half of warp 0 has
// written anything: of the values that warp 1 reads, every even one is still 0. The even half then arrives at its own
// `bar` and waits for a second arrival of warp 1, which never comes: only because warp 1 finishes, and a barrier for
// all counts the warps that are left, does the program end. barrier_diverged counts the arrivals with lanes missing.

.kernel barrier_in_divergence
.chip g200
.grid 1
.block 64
.smem 0xa0                              // 0x20 bytes for launch header and parameters, then 32 words
.arg zero=128                           // out: what warp 1 saw
.const 1 0x0: 1 32

	add b32 $r1 $r0 0x64            // n + 100, the value
	shl $a1 $r0 0x2
	sub b32 $c0 # $r0 c1[0x4]
	(ge $c0) bra #warp1             // whole warps: no split
	and b32 $c0 # $r0 c1[0x0]
	joinat #joined
split:
	(lg $c0) bra #odd
	st b32 s[$a1+0x20] $r1          // even lanes, after the odd ones
	bar inc wait 0x0 all
	bra #joined
odd:
	st b32 s[$a1+0x20] $r1
	bar inc wait 0x0 all
	mov b32 $r2 $r1                 // something to do while warp 1 reads
	mov b32 $r2 $r1
	mov b32 $r2 $r1
	mov b32 $r2 $r1
joined:
	join (never) nop
	exit (never) nop
warp1:
	bar inc wait 0x0 all
	add b32 $r2 $r0 0xffffffe0      // n - 32
	shl $a1 $r2 0x2
	mov b32 $r3 b32 s[$a1+0x20]     // what lane n - 32 of warp 0 wrote, or did not
	shl b32 $r2 $r2 0x2
	add b32 $r2 b32 s[0x10] $r2
	exit st b32 g14[$r2] $r3

// expect: arg 0 u32[0..7] = 0 101 0 103 0 105 0 107
// expect: arg 0 u32[30..31] = 0 131
// expect: s[0x20] u32[0..31] = 100..131
// expect: counter barrier_diverged = 2
// expect: counter divergent_branch = 1
