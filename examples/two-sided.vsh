// Two-sided lighting: vertices that face away take the other branch, and both halves of the warp wait for each other.
//
// The sign of the normal's z says which side is seen. `cmp` sets one flag a vertex, `if` sends those without it to the
// else; the IF stack brings both together behind endif.
//
// What to look for: one split, and nothing to see of it in the results. While one half works, the other is branched
// off: the bill says how many slots that were.

.alias position v0
.alias normal v1
.alias outpos o0 as position
.alias outcol o1 as color
.alias zero c0 as (0.0, 0.0, 0.0, 0.0)
.alias front c1 as (1.0, 0.5, 0.25, 1.0)
.alias back c2 as (0.0, 0.0, 0.5, 1.0)

main:
	mov outpos, position
	cmp zero.zz, normal.zz, <=, <=
side:
	if cc.x
	mul r1, front, normal.zzzz
	max r1, zero, r1
	nop
	else
	mov r1, back
	nop
	endif
	mov outcol, r1
	nop
	end

// vertex: 0,0,0,1, 0,0,-1
// vertex: 1,0,0,1, 0,0,1
// vertex: 2,0,0,1, 0,0,1
// vertex: 3,0,0,1, 0,0,-1
// vertex: 4,0,0,1, 0,0,1
// vertex: 5,0,0,1, 0,0,1
// vertex: 6,0,0,1, 0,0,-1
// vertex: 7,0,0,1, 0,0,1
// vertex: 8,0,0,1, 0,0,1
// vertex: 9,0,0,1, 0,0,-1
// vertex: 10,0,0,1, 0,0,1
// vertex: 11,0,0,1, 0,0,1
// vertex: 12,0,0,1, 0,0,-1
// vertex: 13,0,0,1, 0,0,1
// vertex: 14,0,0,1, 0,0,1
// vertex: 15,0,0,1, 0,0,-1
// vertex: 16,0,0,1, 0,0,1
// vertex: 17,0,0,1, 0,0,1
// vertex: 18,0,0,1, 0,0,-1
// vertex: 19,0,0,1, 0,0,1
// vertex: 20,0,0,1, 0,0,1
// vertex: 21,0,0,1, 0,0,-1
// vertex: 22,0,0,1, 0,0,1
// vertex: 23,0,0,1, 0,0,1
// vertex: 24,0,0,1, 0,0,-1
// vertex: 25,0,0,1, 0,0,1
// vertex: 26,0,0,1, 0,0,1
// vertex: 27,0,0,1, 0,0,-1
// vertex: 28,0,0,1, 0,0,1
// vertex: 29,0,0,1, 0,0,1
// vertex: 30,0,0,1, 0,0,-1
// vertex: 31,0,0,1, 0,0,1

// Eleven of the 32 face away. They wait for mul, max and nop of the others, 33 slots, and these for mov and nop, 42.
// expect: vertex 0 o1 = 0 0 0.5 1
// expect: vertex 1 o1 = 1 0.5 0.25 1
// expect: vertex 30 o1 = 0 0 0.5 1
// expect: vertex 31 o0 = 31 0 0 1
// expect: counter divergent_branch = 1
// expect: bill branched_off = 75
// expect: branch side lost = 75
