// A reciprocal, waiting for the one before.
@setup
	mov b32 $r2 0x3f000000
@body
	rcp f32 $r2 $r2
