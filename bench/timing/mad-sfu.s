// {mads} multiply-adds for each special function, none waiting.
@setup
	mov b32 $r2 0x3f000000
@body
@repeat mads
	long add f32 $r{16+i} (mul $r2 $r2) $r2
@end
	rcp f32 $r8 $r2
