// Float multiplies that are independent.
@setup
	mov b32 $r2 0x3f000000
@body
	mul rn f32 $r{16+i%8} $r2 $r2
