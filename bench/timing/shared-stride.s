// Each lane loads the word at its number times {stride} of s[].
@setup
	and b32 $r2 $r0 0x1f
	mov b32 $r3 0x{stride:x}
	mul $r2 u16 $r2l u16 $r3l
	shl $a1 $r2 0x2
@body
	mov b32 $r{16+i%8} b32 s[$a1+0x20]
