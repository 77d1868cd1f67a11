// A textured triangle in perspective: each thread is a pixel, and four of them, a quad, give each other derivatives.
//
// The corners lie at different depths (W 1, 4 and 2). Planes hold 1/w, u/w and v/w, which are linear on the screen: the
// program takes the reciprocal of the first at its pixel and multiplies by it. texauto compares u and v with those of
// the quad's other pixels to choose a mip level: near the front corner it reads the board of 8 x 8 texels, far away its
// smaller levels, which are grey.
//
// What to look for: pixels of the triangle's edges bring quads along of which some pixels are not covered. Their lanes
// run only to be compared with, 'for its quad' in the bill. `--out triangle.png` writes the picture.

.kernel textured_triangle
.chip g200
.mode fp
.mps 1
.scene {"fp": {"rect": [0, 0, 64, 64], "modes": ["persp"], "masks": ["3"],
.scene   "vertices": [{"pos": [2, 2, 0, 1], "attr": [[0, 0]]}, {"pos": [63, 12, 0, 4], "attr": [[4, 0]]},
.scene                {"pos": [8, 62, 0, 2], "attr": [[0, 4]]}]},
.scene  "textures": [{"t": 0, "type": "2d", "format": "r8_unorm", "width": 8, "height": 8, "levels": 3,
.scene   "swizzle": "rrr1", "data": ["30ff30ff", "30ff30ff", "ff30ff30", "ff30ff30", "30ff30ff", "30ff30ff", "ff30ff30", "ff30ff30",
.scene            "30ff30ff", "30ff30ff", "ff30ff30", "ff30ff30", "30ff30ff", "30ff30ff", "ff30ff30", "ff30ff30",
.scene            "98989898", "98989898", "98989898", "98989898", "98989898"]}],
.scene  "samplers": [{"s": 0, "wrap": ["wrap", "wrap", "wrap"], "min": "linear", "mag": "nearest", "mip": "linear"}]}

	interp $r4 v[0x0]               // 1/w
	rcp f32 $r4 $r4
	interp $r0 v[0x4] $r4           // u
	interp $r1 v[0x8] $r4           // v
	texauto all $r0:$r1:$r2:$r3 $t0 $s0 $r0:$r1 0x0 0x0 0x0
	exit nop

// expect: bill useful = 10800
// expect: bill helper = 696
// expect: bill absent = 24
