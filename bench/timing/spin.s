// A lock held by one lane of the warp that the others spin for: none gets out.
.kernel spin
.regs 32
	mov b32 $r5 0x0
try:
	ld lock $c1 $r4 b32 s[0x20]
	(geu $c1) bra #try
	st unlock b32 s[0x20] $r4
	exit (never) nop
