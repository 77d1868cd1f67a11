// An unsigned 32-bit division as the first compilers wrote it: long division in base 256, two digits of it by a float
// reciprocal, each digit multiplied back in 16-bit pieces and taken down by one where it was too much.
@setup
	mov b32 $r2 0x12345678
	mov b32 $r3 0x3
	mov b32 $r10 0xff
@body
	shr u32 $r5 $r2 0x8
	cvt rz f32 $r6 u32 $r5
	cvt rn f32 $r8 u32 $r3
	rcp f32 $r9 $r8
	mul rz f32 $r6 $r6 $r9
	cvt rzi u32 $r6 f32 $r6
	mul $r8 u16 $r6l u16 $r3h
	add $r8 (mul u16 $r6h $r3l) $r8
	shl b32 $r8 $r8 0x10
	add $r8 (mul u16 $r6l $r3l) $r8
	set $c0 $r16 g u32 $r8 $r5
	subr b32 $r17 $r3 $r8
	(lg $c0) mov b32 $r8 $r17
	sub b32 $r8 $r5 $r8
	shl b32 $r8 $r8 0x8
	and b32 $r4 $r2 $r10
	or b32 $r4 $r8 $r4
	cvt rz f32 $r8 u32 $r4
	mul rz f32 $r8 $r8 $r9
	cvt rzi u32 $r8 f32 $r8
	mul $r5 u16 $r8l u16 $r3h
	add $r5 (mul u16 $r8h $r3l) $r5
	shl b32 $r5 $r5 0x10
	add $r5 (mul u16 $r8l $r3l) $r5
	set $c0 $r18 g u32 $r5 $r4
	add b32 $r6 $r6 $r16
	shl b32 $r6 $r6 0x8
	add b32 $r8 $r8 $r18
	add b32 $r6 $r6 $r8
	mov b32 $r2 $r6
