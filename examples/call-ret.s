// A function called twice, from which some lanes return early.
//
// f(x) = x for x < 16, and 16 + (x - 16) / 4 otherwise: the first case returns at once, with a predicated `ret`.
// Thread n computes f(n) and f(2 n).
//
// What to look for: `call` pushes the return address and the mask. Lanes that return early are gone until the rest of
// the warp has returned as well; then all go on behind the call together. No joinat is needed: the call itself is the
// place to meet. In the first call 16 lanes (n >= 16) go through the long part, in the second 24 (2 n >= 16), and the
// slots of the others are in the bill as `ret`.

.kernel call_ret
.chip g200
.grid 1
.block 32
.arg zero=256                           // out: f(n), f(2 n)
.const 1 0x0: 16

	mov b32 $r1 $r0
	call #f
	mov b32 $r4 $r1                 // f(n)
	add b32 $r1 $r0 $r0
	call #f
	mov b32 $r5 $r1                 // f(2 n)
	shl b32 $r2 $r0 0x3
	add b32 $r2 b32 s[0x10] $r2
	exit st b64 g14[$r2] $r4d

// x in $r1, the result there, too
f:
	sub b32 $c0 $r2 $r1 c1[0x0]     // x - 16
early:
	(l $c0) ret
	shr u32 $r2 $r2 0x2
	add b32 $r1 $r2 0x10
	ret

// Three issues follow the early ret in each call: shr, add, ret. 16 * 3 + 8 * 3 = 72 slots.
// expect: arg 0 u32[0..7] = 0 0 1 2 2 4 3 6
// expect: arg 0 u32[14..19] = 7 14 8 16 9 16
// expect: arg 0 u32[60..63] = 19 27 19 27
// expect: counter divergent_branch = 2
// expect: bill ret = 72
// expect: branch early lost = 72
// expect: counter stack_depth = 1
