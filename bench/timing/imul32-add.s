// The same, and an addition that waits for it.
@setup
	mov b32 $r2 0x12345
	mov b32 $r3 0x23456
@body
	mul $r4 u16 $r2l u16 $r3h
	add $r4 (mul u16 $r2h $r3l) $r4
	shl b32 $r4 $r4 0x10
	add $r4 (mul u16 $r2l $r3l) $r4
	add b32 $r2 $r4 $r3
