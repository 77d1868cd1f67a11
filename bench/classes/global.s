// Loads and stores of neighbouring words of global memory.

.kernel global
.chip g200
.param ptr out
.param u32 trips
.param u32 mask
.const 1 0x0: 1

	mov b32 $r12 b32 s[0x14]
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	cvt rn f32 $r2 u32 $r0
trip:
	ld b32 $r4 g14[$r1]
	st b32 g14[$r1] $r4
	ld b32 $r6 g14[$r1]
	st b32 g14[$r1] $r6
	ld b32 $r8 g14[$r1]
	st b32 g14[$r1] $r8
	ld b32 $r10 g14[$r1]
	st b32 g14[$r1] $r10
	ld b32 $r4 g14[$r1]
	st b32 g14[$r1] $r4
	ld b32 $r6 g14[$r1]
	st b32 g14[$r1] $r6
	ld b32 $r8 g14[$r1]
	st b32 g14[$r1] $r8
	ld b32 $r10 g14[$r1]
	st b32 g14[$r1] $r10
	sub b32 $c0 $r12 $r12 c1[0x0]
	(lg $c0) bra #trip
	add b32 $r2 $r2 $r4
	exit st b32 g14[$r1] $r2
