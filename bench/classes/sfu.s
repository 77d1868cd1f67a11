// Reciprocals, reciprocal roots and logarithms.

.kernel sfu
.chip g200
.param ptr out
.param u32 trips
.param u32 mask
.const 1 0x0: 1

	mov b32 $r12 b32 s[0x14]
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	cvt rn f32 $r2 u32 $r0
	add f32 $r2 $r2 1.0
trip:
	rcp f32 $r4 $r2
	rsqrt f32 $r5 $r2
	lg2 f32 $r6 $r2
	rcp f32 $r7 $r2
	rsqrt f32 $r8 $r2
	lg2 f32 $r9 $r2
	rcp f32 $r10 $r2
	rsqrt f32 $r11 $r2
	lg2 f32 $r4 $r2
	rcp f32 $r5 $r2
	rsqrt f32 $r6 $r2
	lg2 f32 $r7 $r2
	rcp f32 $r8 $r2
	rsqrt f32 $r9 $r2
	lg2 f32 $r10 $r2
	rcp f32 $r11 $r2
	sub b32 $c0 $r12 $r12 c1[0x0]
	(lg $c0) bra #trip
	add b32 $r2 $r2 $r4
	exit st b32 g14[$r1] $r2
