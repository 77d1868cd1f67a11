// A loop over lights, left by each vertex at the last light in reach: the warp goes on for the brightest.
//
// v1.x says how many of the eight lights reach a vertex. `loop` repeats as often as the uniform i0 says and counts in
// lcnt (aL), which picks the light; `break cc.x` takes out the vertices that have enough.
//
// What to look for: with the vertices' counts 1 to 8, four times each, four more leave in every trip, and the loop goes
// on for the rest: 7 splits. Vertices sorted so that a warp's counts are alike would end it early.

.alias position v0
.alias lights v1
.alias outpos o0 as position
.alias outcol o1 as color
.alias trips i0 as (7, 0, 1, 0)                 // x + 1 trips, lcnt from y in steps of z
.alias one c8 as (1.0, 1.0, 1.0, 1.0)
.alias zero c9 as (0.0, 0.0, 0.0, 0.0)
.alias light0 c0 as (1.0, 0.0, 0.0, 0.0)
.alias light1 c1 as (2.0, 0.0, 0.0, 0.0)
.alias light2 c2 as (4.0, 0.0, 0.0, 0.0)
.alias light3 c3 as (8.0, 0.0, 0.0, 0.0)
.alias light4 c4 as (16.0, 0.0, 0.0, 0.0)
.alias light5 c5 as (32.0, 0.0, 0.0, 0.0)
.alias light6 c6 as (64.0, 0.0, 0.0, 0.0)
.alias light7 c7 as (128.0, 0.0, 0.0, 0.0)
.alias light c0-c7

main:
	mov r0, zero                    // the sum
	mov r1.x, lights.x              // lights left
	loop trips
	add r0, light[lcnt], r0
	add r1.x, -one.x, r1.x
	cmp zero.xx, r1.xx, >=, >=
leave:
	break cc.x
	nop
	endloop
	mov outpos, position
	mov outcol, r0
	nop
	end

// vertex: 0,0,0,1, 1
// vertex: 1,0,0,1, 2
// vertex: 2,0,0,1, 3
// vertex: 3,0,0,1, 4
// vertex: 4,0,0,1, 5
// vertex: 5,0,0,1, 6
// vertex: 6,0,0,1, 7
// vertex: 7,0,0,1, 8
// vertex: 8,0,0,1, 1
// vertex: 9,0,0,1, 2
// vertex: 10,0,0,1, 3
// vertex: 11,0,0,1, 4
// vertex: 12,0,0,1, 5
// vertex: 13,0,0,1, 6
// vertex: 14,0,0,1, 7
// vertex: 15,0,0,1, 8
// vertex: 16,0,0,1, 1
// vertex: 17,0,0,1, 2
// vertex: 18,0,0,1, 3
// vertex: 19,0,0,1, 4
// vertex: 20,0,0,1, 5
// vertex: 21,0,0,1, 6
// vertex: 22,0,0,1, 7
// vertex: 23,0,0,1, 8
// vertex: 24,0,0,1, 1
// vertex: 25,0,0,1, 2
// vertex: 26,0,0,1, 3
// vertex: 27,0,0,1, 4
// vertex: 28,0,0,1, 5
// vertex: 29,0,0,1, 6
// vertex: 30,0,0,1, 7
// vertex: 31,0,0,1, 8

// In trip k (0 to 7) 4k vertices wait while the others add, add, cmp and break, and but for the last trip 4(k + 1) during
// nop: 4 * 4 * (0+1+...+7) + 4 * (1+2+...+7) = 448 + 112 = 560 slots.
// expect: vertex 0 o1 = 1 0 0 0
// expect: vertex 1 o1 = 3 0 0 0
// expect: vertex 7 o1 = 255 0 0 0
// expect: vertex 15 o1 = 255 0 0 0
// expect: counter divergent_branch = 7
// expect: pc leave issues = 8
// expect: pc leave threads = 144
// expect: bill branched_off = 560
// expect: branch leave lost = 560
