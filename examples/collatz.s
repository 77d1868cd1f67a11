// Collatz: how many steps until a number is 1? Each thread has its own answer.
//
// v becomes v / 2 if it is even and 3 v + 1 if it is odd. Thread i starts from i + 1; after 1000 steps it gives up.
//
// What to look for: even and odd lanes do different work in each step, but without a branch: three short instructions
// are predicated, and their slots are in the bill as `predicated`. The loop is another matter: lanes leave when they
// are done, and a warp goes on for its longest chain. Six slots of ten are lost that way, all charged to one `break`.

.kernel collatz
.chip g200
.grid 4
.block 64
.arg zero=1024                          // out: steps, one word a thread
.const 1 0x0: 1

	mov b16 $r1l u16 s[0x2]
	add $r0 (mul u16 u16 s[0xc] $r1l) $r0   // i
	add b32 $r1 $r0 0x1                     // v
	mov b32 $r2 0x3e8                       // steps left
	sub b32 $c0 # $r1 c1[0x0]
	breakaddr #store
step:
	(e $c0) break                           // v is 1
	and b32 $c1 # $r1 c1[0x0]               // lg: odd
	add b32 $r3 $r1 $r1
	(lg $c1) add b32 $r1 $r3 $r1
	(lg $c1) add b32 $r1 $r1 c1[0x0]        // 3 v + 1
	(e $c1) shr u32 $r1 $r1 0x1             // v / 2
	sub b32 $c1 $r2 $r2 c1[0x0]
	sub b32 $c0 # $r1 c1[0x0]
	(lg $c1) bra #step
	break                                   // given up
store:
	mov b32 $r3 0x3e8
	sub b32 $r2 $r3 $r2
	shl b32 $r0 $r0 0x2
	add b32 $r0 b32 s[0x10] $r0
	exit st b32 g14[$r0] $r2

// A lane that makes s steps in a warp whose longest chain has T loses 9 slots for each step that it does not make.
// Each step turns off one instruction for odd lanes and two for even ones.
// expect: arg 0 u32[0..11] = 0 1 7 2 5 8 16 3 19 6 14 9
// expect: arg 0 u32[26] = 111
// expect: arg 0 u32[255] = 8
// expect: arg 0 crc32 = fe380af1
// expect: bill brk = 169101
// expect: bill predicated = 19247
