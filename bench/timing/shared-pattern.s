// Each lane loads the word of s[] that a table in c[] gives it.
.const 0 0x0: {table}
@setup
	and b32 $r2 $r0 0x1f
	shl $a2 $r2 0x2
	mov b32 $r3 0x0
	add b32 $r2 $r3 c0[$a2]
	shl $a1 $r2 0x2
@body
	mov b32 $r{16+i%8} b32 s[$a1+0x20]
