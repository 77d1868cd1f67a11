// One multiply-add, waiting for the one before.
@setup
	mov b32 $r2 0x3f000000
@body
	add f32 $r2 (mul $r2 $r2) $r2
