// Additions, exclusive ors and shifts of whole numbers, in turns.

.kernel int
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
	add b32 $r4 $r4 $r1
	xor b32 $r5 $r5 $r1
	shl b32 $r6 $r6 0x1
	sub b32 $r7 $r7 $r1
	add b32 $r8 $r8 $r1
	xor b32 $r9 $r9 $r1
	shl b32 $r10 $r10 0x1
	sub b32 $r11 $r11 $r1
	add b32 $r4 $r4 $r1
	xor b32 $r5 $r5 $r1
	shl b32 $r6 $r6 0x1
	sub b32 $r7 $r7 $r1
	add b32 $r8 $r8 $r1
	xor b32 $r9 $r9 $r1
	shl b32 $r10 $r10 0x1
	sub b32 $r11 $r11 $r1
	sub b32 $c0 $r12 $r12 c1[0x0]
	(lg $c0) bra #trip
	add b32 $r2 $r2 $r4
	exit st b32 g14[$r1] $r2
