// A vertex into the view and onto the screen, lit by one lamp.
.alias projection c0-c3
.alias view c4-c7
.alias lamp c8 as (0.0, 0.6, 0.8, 0.0)
.alias bright c9 as (0.9, 0.8, 0.7, 1.0)
.alias dark c10 as (0.1, 0.1, 0.2, 1.0)
.alias one c11 as (0.0, 1.0, 0.5, 2.0)

.alias pos o0 as position
.alias col o1 as color
.alias tex o2.xy as texcoord0

main:
	mov r0.xyz, v0.xyz
	mov r0.w, one.y
	dp4 r1.x, view[0], r0
	dp4 r1.y, view[1], r0
	dp4 r1.z, view[2], r0
	mov r1.w, one.y
	dp4 pos.x, projection[0], r1
	dp4 pos.y, projection[1], r1
	dp4 pos.z, projection[2], r1
	dp4 pos.w, projection[3], r1
	dp3 r2.x, view[0].xyz, v2.xyz
	dp3 r2.y, view[1].xyz, v2.xyz
	dp3 r2.z, view[2].xyz, v2.xyz
	dp3 r3.x, r2.xyz, r2.xyz
	rsq r3.x, r3.x
	mul r2.xyz, r2.xyz, r3.xxx
	dp3 r3.x, lamp.xyz, r2.xyz
	max r3.x, one.x, r3.x
	mul r3.xyz, bright.xyz, r3.xxx
	add r3.xyz, dark.xyz, r3.xyz
	min col.xyz, one.yyy, r3.xyz
	mov col.w, one.y
	mov tex, v1.xy
	nop
	end
