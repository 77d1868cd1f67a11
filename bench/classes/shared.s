// Loads and stores of neighbouring words of shared memory.

.kernel shared
.chip g200
.smem 0x820
.param ptr out
.param u32 trips
.param u32 mask
.const 1 0x0: 1

	mov b32 $r12 b32 s[0x14]
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	cvt rn f32 $r2 u32 $r0
	shl $a1 $r0 0x2
	st b32 s[$a1+0x20] $r0
trip:
	ld $r4 b32 s[$a1+0x20]
	st b32 s[$a1+0x20] $r4
	ld $r6 b32 s[$a1+0x20]
	st b32 s[$a1+0x20] $r6
	ld $r8 b32 s[$a1+0x20]
	st b32 s[$a1+0x20] $r8
	ld $r10 b32 s[$a1+0x20]
	st b32 s[$a1+0x20] $r10
	ld $r4 b32 s[$a1+0x20]
	st b32 s[$a1+0x20] $r4
	ld $r6 b32 s[$a1+0x20]
	st b32 s[$a1+0x20] $r6
	ld $r8 b32 s[$a1+0x20]
	st b32 s[$a1+0x20] $r8
	ld $r10 b32 s[$a1+0x20]
	st b32 s[$a1+0x20] $r10
	sub b32 $c0 $r12 $r12 c1[0x0]
	(lg $c0) bra #trip
	add b32 $r2 $r2 $r4
	exit st b32 g14[$r1] $r2
