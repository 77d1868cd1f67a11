// Warps that all do the same for long.
.kernel fair
.regs 32
	mov b32 $r2 0x0
	mov b32 $r3 0x1000
round:
	add b32 $r2 $r2 0x1
	set $c0 # l u32 $r2 $r3
	(lg $c0) bra #round
	exit (never) nop
