// What quads cost: a thin triangle, and a branch that splits every quad.
//
// Fragments come in quads of 2 x 2 pixels. A quad runs if any of its pixels is covered, so a thin triangle pays for
// many pixels that it does not have; and a branch that goes by the column splits each quad: its helpers take both
// sides, too.
//
// What to look for: the bill's 'for its quad' is what the triangle's shape costs, 'branched off' what the branch does.
// docs/explanation/quads-and-helper-lanes.md varies both.

.kernel quad_cost
.chip g200
.mode fp
.mps 1
.scene {"fp": {"rect": [0, 0, 64, 32], "position": "x",
.scene   "vertices": [{"pos": [0, 1, 0, 1]}, {"pos": [64, 29, 0, 1]}, {"pos": [64, 31, 0, 1]}]}}

	interp $r4 v[0x0]               // x of the pixel's centre
	cvt rzi u32 $r5 f32 $r4
	mov b32 $r0 0x3f000000          // 0.5
	mov b32 $r3 0x3f800000          // 1.0
	mov b32 $r1 0x1
	and b32 $c0 # $r5 $r1           // odd: not zero
	joinat #end
	(lg $c0) bra #odd
	add f32 $r0 $r0 0x3e000000      // even columns
	add f32 $r0 $r0 0x3e000000
	add f32 $r0 $r0 0x3e000000
	bra #end
odd:
	mul f32 $r0 $r0 0x3f000000      // odd columns
	mul f32 $r0 $r0 0x3f000000
	nop
end:
	join mov b32 $r1 $r0
	mov b32 $r2 $r0
	exit nop

// expect: bill useful = 928
// expect: bill helper = 1218
// expect: bill branched_off = 518
