// Alpha kill: leaves are holes in a texture, and killed fragments go on running.
//
// A leaf's shape is the texture's alpha: where it is below one half the fragment is discarded. The rest of the program
// shades what is left with the difference of neighbouring pixels, which a killed pixel must still provide: so discard
// only marks the lane, and it executes to the end for the others of its quad. --discard stop ends it instead: cheaper,
// and wrong at every edge of a leaf, where neighbours then read a register that was not computed.
//
// What to look for: nothing is covered in part here, so all of 'for its quad' in the bill is lanes that were killed.
// `--out foliage.png` writes the picture; the holes are transparent.

.kernel foliage
.chip g200
.mode fp
.mps 1
.scene {"fp": {"rect": [0, 0, 64, 64],
.scene   "varyings": [{"v": 0, "dx": 0.03125}, {"v": 4, "dy": 0.03125, "dx": 0.004}]},
.scene  "textures": [{"t": 0, "type": "2d", "format": "r8_unorm", "width": 8, "height": 8, "swizzle": "rrrr",
.scene   "data": ["38180400", "00041838", "90602808", "08286090", "f0c87020", "2070c8f0", "ffffc060", "60c0ffff",
.scene            "ffffe890", "90e8ffff", "f0ffc858", "58c8fff0", "60a06018", "1860a060", "18281004", "04102818"]}],
.scene  "samplers": [{"s": 0, "wrap": ["mirror", "wrap", "wrap"], "min": "linear", "mag": "linear", "mip": "none"}]}

	interp $r0 v[0x0]
	interp $r1 v[0x4]
	texauto all $r0:$r1:$r2:$r3 $t0 $s0 $r0:$r1 0x0 0x0 0x0
	mov b32 $r4 0x3f000000
	set $c0 # l f32 $r3 $r4         // alpha below one half
	(lg $c0) discard
	mul rn f32 $r7 $r3 $r3          // the leaf bulges in its middle
	quadop f32 sub subr sub subr $r4 dx $r7 $r7     // how it changes to the right
	quadop f32 sub sub subr subr $r5 dy $r7 $r7     // and downwards
	add rn f32 $r4 $r4 $r5
	mov b32 $r6 0x3e99999a          // 0.3
	add sat rn f32 $r0 $r6 $r4         // red: the side that is lit
	add sat rn f32 $r1 $r3 $r4      // green
	mul rn f32 $r2 $r6 $r3             // blue
	mov b32 $r3 0x3f800000
	exit nop

// expect: bill useful = 43016
// expect: bill helper = 22520
