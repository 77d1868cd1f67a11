// An if and else of {a} and {b} instructions; lanes below {cut} take the if.
.kernel branch
.regs 32
	and b32 $r2 $r0 0x1f
	mov b32 $r3 0x{cut:x}
	set $c0 # l u32 $r2 $r3
	joinat #end
	(geu $c0) bra #other
@repeat a
	long add b32 $r4 $r4 $r2
@end
	bra #end
other:
@repeat b
	long add b32 $r5 $r5 $r2
@end
end:
	join (never) nop
	exit (never) nop
