// Blocks of eight words of code from the first word on, for what depends on the place of an instruction in its block.
.kernel blocks
.chip {chip}
.regs 8
@repeat n
@copy
@end
last:
	s_endpgm
