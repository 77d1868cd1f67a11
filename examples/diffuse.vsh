// Vertices through a shader: a matrix for the position, the angle between normal and light for the colour.
//
// Each lane is one vertex with registers of its own; the uniforms c are the same for all. The colour is
// ambient + diffuse * max(0, normal . light).
//
// What to look for: no vertex branches, so all eight vertices are useful in every issue; the other 24 lanes of the warp
// never existed. Every `dp4` writes one component: four instructions are one product of a matrix and a vector.

.alias position v0
.alias normal v1
.alias outpos o0 as position
.alias outcol o1 as color
.alias rowx c0 as (2.0, 0.0, 0.0, 0.5)          // twice as wide, moved by a half
.alias rowy c1 as (0.0, 1.0, 0.0, 0.0)
.alias rowz c2 as (0.0, 0.0, 1.0, -3.0)
.alias roww c3 as (0.0, 0.0, -1.0, 0.0)         // perspective
.alias light c4 as (0.0, 0.0, 1.0, 0.0)         // towards it
.alias diffuse c5 as (0.5, 0.25, 0.125, 0.0)
.alias ambient c6 as (0.25, 0.25, 0.25, 1.0)
.alias zero c7 as (0.0, 0.0, 0.0, 0.0)

main:
	dp4 r0.x, rowx, position
	dp4 r0.y, rowy, position
	dp4 r0.z, rowz, position
	dp4 r0.w, roww, r0
	mov outpos, r0
	dp3 r1, light.xyz, normal.xyz
	max r1, zero, r1
	mul r1, diffuse, r1
	add outcol, ambient, r1
	nop
	end

// The corners of a cube: position, then the normal of the face they are drawn for.
// vertex: 1,1,1,1,    0,0,1
// vertex: -1,1,1,1,   0,0,1
// vertex: 1,-1,1,1,   0,0,1
// vertex: -1,-1,1,1,  0,0,1
// vertex: 1,1,-1,1,   1,0,0
// vertex: -1,1,-1,1,  -1,0,0
// vertex: 1,-1,-1,1,  0,0,-1
// vertex: -1,-1,-1,1, 0,0.5,0.5

// expect: vertex 0 o0 = 2.5 1 -2 2
// expect: vertex 0 o1 = 0.75 0.5 0.375 1
// expect: vertex 5 o0 = -1.5 1 -4 4
// expect: vertex 5 o1 = 0.25 0.25 0.25 1
// expect: vertex 6 o1 = 0.25 0.25 0.25 1
// expect: vertex 7 o1 = 0.5 0.375 0.3125 1
// expect: counter branch = 0
// expect: bill useful = 88
// expect: bill absent = 264
