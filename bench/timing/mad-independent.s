// {ilp} chains of multiply-adds that do not wait for each other.
@setup
	mov b32 $r2 0x3f000000
@body
@repeat ilp
	long add f32 $r{16+i} (mul $r{16+i} $r2) $r{16+i}
@end
