// expect: out = 7
.chip g200
.mode cp
/* two
 lines */ .kernel one
.regs 5
.smem 0x40
.lmem 8
.param u8 a
.param ptr b
.const 1 0x10: 1 0x2, -1 1.5
.grid 2,3
.block 16,4,2
.arg zero=64
start: mov b32 $r1 $r2
	add b32 $r1 $r1 c1[$a1++0x4] // expect: more
	joinat #end
loop: mov b32 $r1 b32 s[$a1+0x10]
(e $c0) bra #loop
end: exit (never) nop
.kernel two
start: long mov b32 $r1 $r9
	texauto all $r0:#:$r1:# $t1 $s2 $r0:$r1 -0x1 0x2 -0x8
