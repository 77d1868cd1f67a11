// {d} lanes add to one word of s[] under its lock.
.kernel lock
.regs 32
	and b32 $r2 $r0 0x1f
	mov b32 $r3 0x{d:x}
	set $c0 # l u32 $r2 $r3
	joinat #done
	(geu $c0) bra #done
try:
	ld lock $c1 $r4 b32 s[0x20]
	joinat #again
	(geu $c1) bra #again
	add b32 $r4 $r4 0x1
	st unlock b32 s[0x20] $r4
again:
	join (never) nop
	(geu $c1) bra #try
done:
	join (never) nop
	exit (never) nop
