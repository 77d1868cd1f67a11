// Each lane adds the word of c[] at its number modulo {d}.
.const 0 0x0: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
@setup
	and b32 $r2 $r0 0x{d-1:x}
	shl $a1 $r2 0x2
@body
	add b32 $r{16+i%8} $r2 c0[$a1]
