// A fast division: reciprocal and multiply.
@setup
	mov b32 $r2 0x3f000000
@body
	rcp f32 $r2 $r2
	mul rn f32 $r2 $r2 $r2
