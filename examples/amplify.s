// A geometry program: each point becomes a strip of four vertices, or of up to 16.
//
// Each thread takes a point (x, y, size, corners) and emits a zigzag of `corners` vertices. Threads of a warp emit
// different numbers of them, so the loop goes on for as long as the longest strip takes, and lanes that are done wait.
//
// What to look for: 'broke' in the bill counts the slots of lanes with shorter strips. A strip has at most
// max_vertices: further vertices are dropped, and a warning counts them.

.kernel amplify
.chip g200
.mode gp
.scene {"gp": {"input": "points", "output": "triangle_strip", "max_vertices": 16,
.scene   "vertices": [[[0, 0, 1, 4]], [[8, 0, 1, 4]], [[0, 8, 2, 4]], [[8, 8, 2, 4]], [[4, 4, 1, 6]], [[4, 12, 1, 8]],
.scene                [[12, 4, 1, 12]], [[12, 12, 0.5, 20]]]}}

	shl $a1 a[0x0] 0x0              // where the point's words are
	mov b32 $r0 p[$a1]              // x
	mov b32 $r1 p[$a1+0x4]          // y
	mov b32 $r2 p[$a1+0x8]          // size
	mov b32 $r3 p[$a1+0xc]          // corners
	cvt rzi u32 $r3 f32 $r3
	mov b32 $r4 0x0                 // vertices so far
	mov b32 $r6 0x1
	breakaddr #done
loop:
	set $c0 # e u32 $r4 $r3
	(lg $c0) break
	and b32 $c1 $r5 $r4 $r6         // odd vertices are below
	mov b32 $r7 $r1
	(lg $c1) add rn f32 $r7 $r1 $r2
	mov b32 o[0x0] $r0
	mov b32 o[0x4] $r7
	emit
	(lg $c1) add rn f32 $r0 $r0 $r2 // and the next pair is further right
	add b32 $r4 $r4 0x1
	bra #loop
done:
	exit restart

// expect: bill useful = 716
// expect: bill brk = 1078
