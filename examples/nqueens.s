// Eight queens: each thread searches below its own first two queens. The counterpart of nqueens.cl.
//
// Row r of a thread's stack is four words: columns taken, both diagonals, and the places still to try.
//
// What to look for: a search in which every lane is somewhere else. Its loop has three ways on: back a row, a solution,
// a row further; lanes that go one of them wait for the others in each turn. Lanes whose two queens attack each other
// have nothing to do from the start.

.kernel nqueens
.chip g200
.grid 1
.block 64
.smem 0x2020                            // 0x20 bytes for launch header and parameters, 8 rows of 4 words a thread
.arg zero=256                           // out: solutions below each pair of first queens
.const 1 0x0: 1 7 0xff 2

	and b32 $r1 $r0 c1[0x4]         // first
	shr u32 $r2 $r0 0x3             // second
	mov b32 $r8 0x0                 // solutions
	shl b32 $r9 $r0 0x2             // where row 0 of this thread is: words of 64 threads side by side
	mov b32 $r4 0x1
	shl b32 $r5 $r4 $r1             // the queens' bits
	shl b32 $r6 $r4 $r2
	breakaddr #store
	sub b32 $c0 # $r1 $r2
	(e $c0) break                   // one column
	sub b32 $r3 $r1 $r2
	sub b32 $r7 $r2 $r1
	max s32 $r3 $r3 $r7
	sub b32 $c0 # $r3 c1[0x0]
	(e $c0) break                   // one diagonal
	or b32 $r1 $r5 $r6              // columns
	shl b32 $r2 $r5 0x2
	shl b32 $r3 $r6 0x1
	or b32 $r2 $r2 $r3
	and b32 $r2 $r2 c1[0x8]         // left
	shr u32 $r3 $r5 0x2
	shr u32 $r4 $r6 0x1
	or b32 $r3 $r3 $r4              // right
	mov b32 $r7 0x2                 // row
	mov b32 $r6 0x1                 // a new one
turn:
	shl b32 $r5 $r7 0xa
	add b32 $r5 $r5 $r9
	shl $a1 $r5 0x0
	ld $r4 b32 s[$a1+0x320]         // places of the row still to try
	joinat #try
	sub b32 $c0 # $r6 c1[0x0]
	(lg $c0) bra #try
	or b32 $r4 $r1 $r2              // r1, r2, r3 are the new row's
	or b32 $r4 $r4 $r3
	and b32 $r4 $r4 c1[0x8]
	xor b32 $r4 $r4 c1[0x8]
	st b32 s[$a1+0x20] $r1
	st b32 s[$a1+0x120] $r2
	st b32 s[$a1+0x220] $r3
try:
	join nop
	mov b32 $r6 0x0
	mov b32 $r5 0x0
	sub b32 $r5 $r5 $r4
	and b32 $c0 $r5 $r5 $r4         // the lowest of them
	joinat #together
	(e $c0) bra #back
	xor b32 $r4 $r4 $r5
	st b32 s[$a1+0x320] $r4
	sub b32 $c1 # $r7 c1[0x4]
	(e $c1) bra #found
	ld $r1 b32 s[$a1+0x20]
	ld $r2 b32 s[$a1+0x120]
	ld $r3 b32 s[$a1+0x220]
	or b32 $r1 $r1 $r5
	or b32 $r2 $r2 $r5
	shl b32 $r2 $r2 0x1
	and b32 $r2 $r2 c1[0x8]
	or b32 $r3 $r3 $r5
	shr u32 $r3 $r3 0x1
	add b32 $r7 $r7 0x1
	mov b32 $r6 0x1
	bra #together
found:
	add b32 $r8 $r8 0x1
	bra #together
back:
	sub b32 $r7 $r7 c1[0x0]
together:
	join nop
	sub b32 $c1 # $r7 c1[0xc]
	(l $c1) break                   // above row 2: done
	bra #turn
store:
	shl b32 $r0 $r0 0x2
	add b32 $r0 b32 s[0x10] $r0
	exit st b32 g14[$r0] $r8

// expect: arg 0 u32[0..7] = 0 0 1 2 3 1 1 0
// expect: arg 0 u32[16..23] = 0 0 0 0 3 8 2 1
// expect: arg 0 u32[56..63] = 0 1 1 3 2 1 0 0
