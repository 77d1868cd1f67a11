// Double multiply-adds that are independent.
@setup
	mov b32 $r2 0x0
	mov b32 $r3 0x3fe00000
@body
	fma rn f64 $r16d $r2d $r2d $r2d
