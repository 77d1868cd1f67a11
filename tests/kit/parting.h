#ifndef WB_TESTS_UNIT_PARTING_H
#define WB_TESTS_UNIT_PARTING_H

#include "tests/kit/launches.h"

/* Lanes part in loops, with and without breaks, and around a call; warps come to barriers split; lanes end early. */
static const char parting[] =
	HEAD ".block 128\n.arg zero=98304\n.const 1 0x0: 1 2 3 7\n"
	"mov b32 $r1 u16 s[0xc]\nshl b32 $r6 $r0 0x4\nshl b32 $r1 $r1 0xb\nadd b32 $r6 $r6 $r1\n"
	"add b32 $r6 b32 s[0x10] $r6\nmov b32 $r5 0x7\nmov b32 $r7 0x1\nmov b32 $r8 0x2\nand b32 $r2 $r0 $r5\n"
	"add b32 $r2 $r2 $r7\nmov b32 $r4 $r0\njoinat #met\nturn:\nsub b32 $c0 $r2 $r2 c1[0x0]\n"
	"add b32 $r4 $r4 $r2\n(lg $c0) bra #turn\nmet:\njoin nop\nst b32 g14[$r6] $r4\nbreakaddr #broken\n"
	"mov b32 $r3 $r4\nagain:\nsub b32 $c0 $r3 $r3 c1[0x8]\n(l $c0) break\njoinat #odd\n"
	"and b32 $c1 # $r3 $r7\n(e $c1) bra #odd\nadd b32 $r4 $r4 $r8\nodd:\njoin nop\nbra #again\nbroken:\n"
	"and b32 $c0 $r2 $r0 $r8\n(lg $c0) bra #home\ncall #more\nhome:\nbar inc wait 0x0 all\n"
	"add b32 $r6 $r6 $r8\nadd b32 $r6 $r6 $r8\nsub b32 $c0 $r0 $r0 c1[0xc]\n(e $c0) bra #end\n"
	"exit st b32 g14[$r6] $r4\nend:\nexit nop\nmore:\nadd b32 $r4 $r4 $r5\nret\n";

#endif
