// 256 bins, 64 values a thread: bins for each warp in shared memory, atomic additions to the result.
//
// Lanes that count into one bin at once see whose count was stored, by the lane's number in its upper five bits; the
// others try again. Thus 256-bin histograms were counted on machines without atomic operations on shared memory (V.
// Podlozhnyuk, "Histogram calculation in CUDA", NVIDIA 2007). examples/histogram.s does it with locks.

.kernel histogram
.chip g200
.smem 0x2020                            // header and parameters, then 8 times 256 bins
.param ptr in
.param ptr out
.const 1 0x0: 1

	shl $a1 $r0 0x2
	mov b32 $r1 0x0
	st b32 s[$a1+0x20] $r1
	st b32 s[$a1+0x420] $r1
	st b32 s[$a1+0x820] $r1
	st b32 s[$a1+0xc20] $r1
	st b32 s[$a1+0x1020] $r1
	st b32 s[$a1+0x1420] $r1
	st b32 s[$a1+0x1820] $r1
	st b32 s[$a1+0x1c20] $r1
	mov b32 $r1 u16 s[0xc]
	shl b32 $r1 $r1 0xe             // each block has 256 * 64 values
	add b32 $r1 $r1 $r0
	shl b32 $r1 $r1 0x2
	add b32 $r1 b32 s[0x10] $r1
	mov b32 $r2 0x40
	shr u32 $r6 $r0 0x5
	shl b32 $r6 $r6 0xa             // this warp's bins
	shl b32 $r7 $r0 0x1b            // this lane's mark
	mov b32 $r8 0x7ffffff
	bar inc wait 0x0 all
value:
	ld b32 $r3 g14[$r1]
	and b32 $r3 $r3 0xff
	shl b32 $r3 $r3 0x2
	add b32 $r3 $r3 $r6
	shl $a2 $r3 0x0
	joinat #counted
try:
	ld $r4 b32 s[$a2+0x20]
	and b32 $r4 $r4 $r8
	add b32 $r4 $r4 c1[0x0]
	or b32 $r4 $r4 $r7
	st b32 s[$a2+0x20] $r4
	ld $r5 b32 s[$a2+0x20]
	sub b32 $c0 # $r5 $r4
	(lg $c0) bra #try
counted:
	join sub b32 $c1 $r2 $r2 c1[0x0]
	add b32 $r1 $r1 0x400
	(lg $c1) bra #value
	bar inc wait 0x0 all
	mov b32 $r2 0x0
	shl $a2 $r0 0x2
	mov b32 $r5 0x8
sum:
	ld $r4 b32 s[$a2+0x20]
	and b32 $r4 $r4 $r8
	add b32 $r2 $r2 $r4
	add $a2 $a2 0x400
	sub b32 $c1 $r5 $r5 c1[0x0]
	(lg $c1) bra #sum
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x14] $r1
	exit red add u32 g14[$r1] $r2
