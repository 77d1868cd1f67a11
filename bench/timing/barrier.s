// A barrier of all warps.
@setup
@body
	bar inc wait 0x0 all
