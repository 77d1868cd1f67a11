// Segments of 512 numbers, one a block of 256 threads, sorted in place.

.kernel bitonic
.chip g200
.smem 0x820                             // header and parameters, then 512 words
.param ptr d
.const 1 0x0: 1 512

	mov b32 $r8 u16 s[0xc]
	shl b32 $r8 $r8 0x9
	add b32 $r8 $r8 $r0
	shl b32 $r8 $r8 0x2
	add b32 $r8 b32 s[0x10] $r8     // the first of this thread's two elements; the other is 256 further on
	add b32 $r9 $r8 0x400
	ld b32 $r2 g14[$r8]
	ld b32 $r3 g14[$r9]
	shl $a3 $r0 0x2
	st b32 s[$a3+0x20] $r2
	st b32 s[$a3+0x420] $r3
	mov b32 $r1 0x2                 // k
stage:
	shr u32 $r2 $r1 0x1             // j
round:
	bar inc wait 0x0 all
	sub b32 $r3 $r2 c1[0x0]
	and b32 $r3 $r0 $r3
	add b32 $r4 $r0 $r0
	sub b32 $r3 $r4 $r3             // i = 2 n - (n & (j - 1))
	add b32 $r4 $r3 $r2             // i + j
	shl $a1 $r3 0x2
	shl $a2 $r4 0x2
	ld $r4 b32 s[$a1+0x20]
	ld $r5 b32 s[$a2+0x20]
	and b32 $c0 # $r3 $r1           // e: ascending
	min u32 $r6 $r4 $r5
	max u32 $r7 $r4 $r5
	(e $c0) st b32 s[$a1+0x20] $r6
	(e $c0) st b32 s[$a2+0x20] $r7
	(lg $c0) st b32 s[$a1+0x20] $r7
	(lg $c0) st b32 s[$a2+0x20] $r6
	shr u32 $c1 $r2 $r2 0x1
	(lg $c1) bra #round
	shl b32 $r1 $r1 0x1
	sub b32 $c1 # $r1 c1[0x4]
	(le $c1) bra #stage
	bar inc wait 0x0 all
	ld $r2 b32 s[$a3+0x20]
	ld $r3 b32 s[$a3+0x420]
	st b32 g14[$r8] $r2
	exit st b32 g14[$r9] $r3
