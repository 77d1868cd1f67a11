// A fragment program as compilers make them: inputs in perspective, a light, a branch by region, a kill.
.kernel fragments
.chip g200
.mode fp
.scene {"fp": {"rect": [0, 0, 256, 256], "modes": ["persp"], "masks": ["f"], "vertices": [
.scene   {"pos": [0, 0, 0, 1], "attr": [[0, 0, 1, 1]]}, {"pos": [512, 0, 0, 2], "attr": [[4, 0, 0.5, 1]]},
.scene   {"pos": [0, 512, 0, 3], "attr": [[0, 4, 0.25, 1]]}]}}

	interp $r4 v[0x0]
	rcp f32 $r4 $r4
	interp $r0 v[0x4] $r4
	interp $r1 v[0x8] $r4
	interp $r2 v[0xc] $r4
	interp $r3 v[0x10] $r4
	mul rn f32 $r5 $r0 $r0
	add f32 $r5 (mul $r1 $r1) $r5
	rsqrt f32 $r6 $r5
	mul rn f32 $r7 $r0 $r6
	mul rn f32 $r8 $r1 $r6
	mul rn f32 $r9 $r7 $r2
	add f32 $r9 (mul $r8 $r3) $r9
	max f32 $r9 $r9 $r2
	mov b32 $r10 0x40000000
	set $c0 # l f32 $r5 $r10
	joinat #end
	(lg $c0) bra #near
	mul rn f32 $r0 $r9 $r7
	add f32 $r1 (mul $r9 $r8) $r2
	bra #end
near:
	add f32 $r0 (mul $r9 $r9) $r7
	mul rn f32 $r1 $r9 $r8
end:
	join mul rn f32 $r2 $r9 $r6
	mov b32 $r11 0x38d1b717
	set $c1 # l f32 $r5 $r11
	(lg $c1) discard
	exit mov b32 $r3 $r9
