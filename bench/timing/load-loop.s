// One load and {mads} multiply-adds that do not wait for it, again and again; the load's result is needed a round later.
@setup
	mov b32 $r2 0x3f000000
	mov b32 $r6 b32 s[0x10]
	and b32 $r7 $r0 0x1f
	shl b32 $r7 $r7 0x2
	add b32 $r6 $r6 $r7
@body
	mov b32 $r7 $r8
	ld b32 $r8 g14[$r6]
@repeat mads
	long add f32 $r{16+i} (mul $r2 $r2) $r2
@end
