// Bilinear samples of a texture of two dimensions, each at the colour that the last one of its chain gave.

.kernel texture
.chip g200
.param ptr out
.param u32 trips
.param u32 mask
.const 1 0x0: 1

	mov b32 $r20 b32 s[0x14]
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	cvt rn f32 $r2 u32 $r0
	mul f32 $r4 $r2 0x3c800000
	mul f32 $r5 $r2 0x3da00000
	mul f32 $r8 $r2 0x3d000000
	mul f32 $r9 $r2 0x3d800000
	mul f32 $r12 $r2 0x3c000000
	mul f32 $r13 $r2 0x3e000000
	mul f32 $r16 $r2 0x3b000000
	mul f32 $r17 $r2 0x3c800000
trip:
	texauto live $r4:$r5:$r6:$r7 $t0 $s0 $r4:$r5
	texauto live $r8:$r9:$r10:$r11 $t0 $s0 $r8:$r9
	texauto live $r12:$r13:$r14:$r15 $t0 $s0 $r12:$r13
	texauto live $r16:$r17:$r18:$r19 $t0 $s0 $r16:$r17
	texauto live $r4:$r5:$r6:$r7 $t0 $s0 $r4:$r5
	texauto live $r8:$r9:$r10:$r11 $t0 $s0 $r8:$r9
	texauto live $r12:$r13:$r14:$r15 $t0 $s0 $r12:$r13
	texauto live $r16:$r17:$r18:$r19 $t0 $s0 $r16:$r17
	texauto live $r4:$r5:$r6:$r7 $t0 $s0 $r4:$r5
	texauto live $r8:$r9:$r10:$r11 $t0 $s0 $r8:$r9
	texauto live $r12:$r13:$r14:$r15 $t0 $s0 $r12:$r13
	texauto live $r16:$r17:$r18:$r19 $t0 $s0 $r16:$r17
	texauto live $r4:$r5:$r6:$r7 $t0 $s0 $r4:$r5
	texauto live $r8:$r9:$r10:$r11 $t0 $s0 $r8:$r9
	texauto live $r12:$r13:$r14:$r15 $t0 $s0 $r12:$r13
	texauto live $r16:$r17:$r18:$r19 $t0 $s0 $r16:$r17
	sub b32 $c0 $r20 $r20 c1[0x0]
	(lg $c0) bra #trip
	add f32 $r4 $r4 $r9
	add f32 $r4 $r4 $r14
	exit st b32 g14[$r1] $r4
