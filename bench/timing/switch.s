// {k} ways: lane i takes way i modulo {k}, each of {a} instructions.
.kernel ways
.regs 32
	and b32 $r2 $r0 0x{k-1:x}
	joinat #end
@repeat k
	mov b32 $r3 0x{i:x}
	set $c0 # e u32 $r2 $r3
	(lg $c0) bra #way{i}
@end
@repeat k
way{i}:
@repeat a
	long add b32 $r4 $r4 $r2
@end
	bra #end
@end
end:
	join (never) nop
	exit (never) nop
