// Vertices that go different ways: near ones are lit, far ones fade, and each halves its distance as often as it needs.
.alias edge c0 as (0.0, 1.0, 0.5, 2.0)
.alias fade c1 as (0.25, 0.5, 0.75, 1.0)
.alias most i0 as (7, 0, 1, 0)

.alias pos o0 as position
.alias col o1 as color

main:
	mov r0, v0
	mov r1, fade
	cmp v0.xy, edge.xx, >, >
	if cc.x
		mul r1, r1, r0
		add r1, edge.yyyy, r1
		nop
	else
		mul r1, fade, r1
		nop
	endif
	loop most
		cmp r0.xy, edge.zz, <, <
		break cc.x || cc.y
		mul r0, edge.zzzz, r0
		add r1, fade, r1
		nop
	endloop
	mov pos, r0
	mov col, r1
	nop
	end
