// Multiply-adds of floats in eight chains.

.kernel float
.chip g200
.param ptr out
.param u32 trips
.param u32 mask
.const 1 0x0: 1

	mov b32 $r12 b32 s[0x14]
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	mov b32 $r2 0x3f400000                 // 0.75: the chains go to 3
trip:
	add f32 $r4 (mul $r4 $r2) $r2
	add f32 $r5 (mul $r5 $r2) $r2
	add f32 $r6 (mul $r6 $r2) $r2
	add f32 $r7 (mul $r7 $r2) $r2
	add f32 $r8 (mul $r8 $r2) $r2
	add f32 $r9 (mul $r9 $r2) $r2
	add f32 $r10 (mul $r10 $r2) $r2
	add f32 $r11 (mul $r11 $r2) $r2
	add f32 $r4 (mul $r4 $r2) $r2
	add f32 $r5 (mul $r5 $r2) $r2
	add f32 $r6 (mul $r6 $r2) $r2
	add f32 $r7 (mul $r7 $r2) $r2
	add f32 $r8 (mul $r8 $r2) $r2
	add f32 $r9 (mul $r9 $r2) $r2
	add f32 $r10 (mul $r10 $r2) $r2
	add f32 $r11 (mul $r11 $r2) $r2
	sub b32 $c0 $r12 $r12 c1[0x0]
	(lg $c0) bra #trip
	add b32 $r2 $r2 $r4
	exit st b32 g14[$r1] $r2
