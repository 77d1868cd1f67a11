// A vertex moved by up to four bones, each the mean of three rows of uniforms that the vertex names.
.alias bones c0-c47
.alias first c50 as (0.0, 0.0, 0.0, 1.0)
.alias step c51 as (3.0, 1.0, 0.25, 0.0)
.alias four i0 as (3, 0, 1, 0)

.alias pos o0 as position
.alias col o1 as color

main:
	mov r0.xyz, v0.xyz
	mov r0.w, first.w
	mov r1, first.xyzx
	mov r2, v3.xxxx
	loop four
		mova r2.xy
		dp4 r3.x, bones[a0], r0
		dp4 r3.y, bones[a0+1], r0
		dp4 r3.z, bones[a0+2], r0
		mul r3.xyz, step.zzz, r3.xyz
		add r1.xyz, r3.xyz, r1.xyz
		add r2, step.xxxx, r2
		nop
	endloop
	mov pos.xyz, r1.xyz
	mov pos.w, first.w
	mov col, v1
	nop
	end
