// {d} ifs in one another, each on the side that runs first.
.kernel nested
.regs 32
	and b32 $r2 $r0 0x1f
@repeat d
	mov b32 $r3 0x{i:x}
	set $c0 # g u32 $r2 $r3
	joinat #join{i}
	(lg $c0) bra #in{i}
	bra #join{i}
in{i}:
@end
	add b32 $r4 $r4 $r2
@repeat d
join{d-1-i}:
	join (never) nop
@end
	exit (never) nop
