// A geometry shader: each point becomes a square of two triangles; the second triangle uses corners of the first.
//
// A thread takes a point: its centre in v0, half its width in v1.x. `setemitraw` says which of three places the next vertex
// takes and whether a triangle is done; the places keep what they hold. Output registers come in two banks that change
// places at each emit, so each vertex writes all of its outputs.
//
// What to look for: four emits make two triangles; the inv of the second says that it runs the other way around.

.alias centre v0
.alias size v1
.alias outpos o0 as position
.alias outcol o1 as color
.alias corner c0 as (1.0, -1.0, 0.0, 0.5)

main:
	mul r1, corner, size.xxxx       // (w, -w, 0, …)
	setemitraw 0
	add outpos, centre, r1.yyzz
	mov outcol, corner.zzzx
	emit
	setemitraw 1
	add outpos, centre, r1.xyzz
	mov outcol, corner.xzzx
	emit
	setemitraw 2, prim
	add outpos, centre, r1.yxzz
	mov outcol, corner.zxzx
	emit
	setemitraw 0, prim, inv
	add outpos, centre, r1.xxzz
	mov outcol, corner.xxzx
	emit
	nop
	end

// vertex: 0,0,0,1,   1
// vertex: 10,20,0,1, 0.5
// vertex: -4,0,2,1,  2

// expect: primitives = 6
// expect: primitive 0 vertex 0 o0 = -1 -1 0 1
// expect: primitive 0 vertex 1 o0 = 1 -1 0 1
// expect: primitive 0 vertex 2 o0 = -1 1 0 1
// expect: primitive 1 vertex 0 o0 = 1 1 0 1
// expect: primitive 1 vertex 1 o0 = 1 -1 0 1
// expect: primitive 1 vertex 2 o1 = 0 1 0 1
// expect: primitive 3 vertex 0 o0 = 10.5 20.5 0 1
// expect: primitive 4 vertex 1 o0 = -2 -2 2 1
// expect: counter branch = 0
