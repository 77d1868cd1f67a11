// A square root as compilers write it: rsqrt, then its reciprocal.
@setup
	mov b32 $r2 0x3f000000
@body
	rsqrt f32 $r2 $r2
	rcp f32 $r2 $r2
