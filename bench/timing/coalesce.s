// Each lane loads {bytes} bytes at the offset that a table in c[] gives it.
.kernel coalesce
.regs 32
.arg zero=16384
.const 0 0x0: {table}
	and b32 $r2 $r0 0x1f
	shl $a2 $r2 0x2
	mov b32 $r3 0x0
	add b32 $r4 $r3 c0[$a2]
	add b32 $r4 b32 s[0x10] $r4
	{load}
	exit (never) nop
