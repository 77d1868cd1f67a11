/* CLRX's language: what each construct leaves in a section, and refusals with their places. Words of instructions are
 * llvm-mc's (version 14, -mcpu=tonga -show-encoding); numbers of data follow from CLRX's manual by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/image.h"
#include "core/isa.h"
#include "core/isa/gcn/clrx_asm.h"

enum { WORDS = 12 };

/* Raw code for a Tonga: the words of .text. */
static const struct { const char *text; unsigned n; uint32_t word[WORDS]; } constructs[] = {
	/* statements, comments, labels */
	{ "s_nop 0; s_nop 0 # no more", 2, { 0xbf800000, 0xbf800000 } },
	{ ".int 1, \\\n 2 /* two\nlines */\n .int 3", 3, { 1, 2, 3 } },
	{ "a: b: .int b-a, .-a", 2, { 0, 4 } },
	{ "3: s_branch 3f\n s_branch 3b\n3: s_nop 0", 3, { 0xbf820001, 0xbf82fffe, 0xbf800000 } },
	/* expressions: GNU's order, true is -1 */
	{ ".int 1+2*3, 2|1+4, 7&3+1, -7/2, -7%3, -7//2", 6, { 7, 7, 4, 0xfffffffd, 0xffffffff, 0xfffffffc } },
	{ ".int 1<2, 2<1, -1<@1, 3==3&&0, 1?2:3, !5, ~5, 6!1", 8,
	  { 0xffffffff, 0, 0, 0, 2, 0, 0xfffffffa, 0xfffffffe } },
	{ ".int 0x10, 0b101, 017, 'a', '\\n', 1<<31>>>31", 6, { 16, 5, 15, 'a', 10, 1 } },
	/* symbols */
	{ "x = 3\n.int x\nx = x+1\n.int x\n.set y, x*2\n.int y", 3, { 3, 4, 8 } },
	{ ".int later+1\nlater = 5\nlater = 9\n.int later", 2, { 6, 9 } },
	{ "a=3\nb=5\n.eqv c,a+b\n.int c\nb=7\n.int c", 2, { 8, 10 } },
	{ "p = q\nq = r\nr = 4\nq = 1\n.int p", 1, { 4 } },
	{ ".enum A,B,C\n.enum >8,D\n.int A,B,C,D", 4, { 0, 1, 2, 8 } },
	{ ".ifdef z\n.int 1\n.else\n.int 2\n.endif\nz=0\n.ifndef z\n.int 3\n.elseifdef z\n.int 4\n.endif", 2,
	  { 2, 4 } },
	/* scopes: the example of the manual */
	{ ".scope ala\nsym2 = 4\n.ends\n.scope another\nsym2 = 6\nsym3 = 15\n.ends\n.using ala\n.int sym2\n"
	  ".scope ula\n.using another\n.int sym2\n.ends\n.int sym2\n.scope ula\n.using ala\n.int sym2, sym3\n.ends",
	  5, { 4, 6, 4, 4, 15 } },
	{ "s=9\n.scope a\ns=4\n.scope b\ns=7\n.ends\n.int s, ::s, b::s\n.ends\n.int a::s, a::b::s\n", 5,
	  { 4, 9, 7, 4, 7 } },
	/* macros */
	{ ".macro two v1=100, v2\n.int \\v1+\\v2, \\v2-\\v1\n.endm\ntwo 4,7\nTWO ,7", 4,
	  { 11, 3, 107, (uint32_t)-93 } },
	{ ".macro count\n.int \\@\n.endm\ncount\ncount", 2, { 0, 1 } },
	{ ".macro gen m, a\n.macro gen\\m b\n.int (\\b)*(\\a)\n.endm\n.endm\ngen X, 2+3\ngenX 10+12", 1, { 110 } },
	{ ".macro rest x, all:vararg\n.int \\x, \\all\n.endm\nrest 1, 2, 3", 3, { 1, 2, 3 } },
	{ ".macro early x\n.int \\x\n.if \\x\n.exitm\n.endif\n.int 99\n.endm\nearly 1\nearly 0", 3, { 1, 0, 99 } },
	{ ".altmacro\n.macro m a b\nlocal here\nhere: .int a, b, .-here\n.endm\nm %2*3, <4>\nm 1,2", 6,
	  { 6, 4, 8, 1, 2, 8 } },
	{ ".macro f\n.int 1\n.endm\n.purgem f\n.macro f\n.int 2\n.endm\nf", 1, { 2 } },
	/* repetitions and conditions */
	{ ".rept 2\n.rept 2\n.int 7\n.endr\n.endr\n.rept 0\n.int 8\n.endr", 4, { 7, 7, 7, 7 } },
	{ ".irp r, 1, 5\n.int \\r\n.endr\n.irpc c, 23\n.int \\c\n.endr", 4, { 1, 5, 2, 3 } },
	{ ".for x=1, x<16, x+x\n.int x\n.endr", 4, { 1, 2, 4, 8 } },
	{ "x=1\n.while x<5\n.int x\nx=x+x\n.endr", 3, { 1, 2, 4 } },
	{ ".ifarch GCN1.2\n.int 1\n.endif\n.ifgpu Tonga\n.int 2\n.endif\n.iffmt raw\n.int 3\n.endif\n.if64\n.int 4\n"
	  ".endif\n.ifc a b, a b\n.int 5\n.endif\n.ifb\n.int 6\n.endif\n.ifnarch VI\n.int 7\n.elseif 1\n.int 8\n.endif",
	  7, { 1, 2, 3, 4, 5, 6, 8 } },
	/* data */
	{ ".byte 1,2\n.short 0x403\n.ascii \"ab\"\n.asciz \"c\"", 2, { 0x04030201, 0x00636261 } },
	{ ".float 1.5\n.half 1.0, 2.0\n.double 0.5", 4, { 0x3fc00000, 0x40003c00, 0, 0x3fe00000 } },
	{ ".fill 2, 2, 0x1234\n.skip 4, 0xff\n.quad -1\n.octa 0x10000000000000002", 8,
	  { 0x12341234, 0xffffffff, 0xffffffff, 0xffffffff, 2, 0, 1, 0 } },
	{ ".byte 1\n.align 8\n.int 5\n.p2align 3, 0xaa", 4, { 1, 0xbf800000, 5, 0xaaaaaaaa } },
	{ ".struct 0\nx: .skip 4\ny: .skip 8\nz:\n.text\n.int x, y, z", 3, { 0, 4, 12 } },
	{ ".int 1\n. = 8\n.set ., 12\n.org .+4", 4, { 1, 0, 0, 0 } },
	/* registers by name */
	{ "acc = %v[4:7]\nbase = %s[2:3]\none = %vcc\n"
	  "s_and_b64 s[0:1], base, s[4:5]\nv_mov_b32 acc[3], acc[2]\ns_mov_b64 one, exec", 3,
	  { 0x86800402, 0x7e0e0306, 0xbeea017e } },
	{ "n = 1\nv_mov_b32 v[n*7], v[n+5]\ns_load_dwordx2 s[2*2:n+4], s[2:3], 4*4", 3,
	  { 0x7e0e0306, 0xc0060101, 0x00000010 } },
	{ "v_mul_f32 v1, -v2, abs(v3)\nds_read_b32 v3, v2 offset:3*4", 4,
	  { 0xd1050201, 0x20020702, 0xd86c000c, 0x03000002 } },
	/* a name of .regvar gets a register that nothing else has: v0, v1 and v2 are named, so sum is v3 */
	{ ".regvar sum:v:1, at:s:2\nv_add_u32 v2, vcc, s1, sum\ns_and_b64 s[0:1], at, s[4:5]\nv_mov_b32 v0, v1", 3,
	  { 0x32040601, 0x86800402, 0x7e000301 } },
	/* a later value has a word of its own, also where it would fit the instruction */
	{ "s_mov_b32 s0, later\nlater = 20", 2, { 0xbe8000ff, 20 } },
	{ "s_mov_b32 s0, 20", 1, { 0xbe800094 } },
	/* spellings of CLRX's */
	{ "v_add_i32 v2, vcc, s1, v3\nv_mov_b32_e32 v7, v6\nv_mov_b32_e64 v7, v6", 4,
	  { 0x32040601, 0x7e0e0306, 0xd1410007, 0x00000106 } },
	{ "v_mov_b32 v1, v2 dst_sel:byte_1 dst_unused:UNUSED_PRESERVE src0_sel:@4", 2, { 0x7e0202f9, 0x00041102 } },
	{ "v_mov_b32_dpp v1, v2 row_hmirror\nv_mov_b32 v1, v2 wave_shl : 1\nv_mov_b32 v1, v2 bank_mask:0 row_mask:0", 6,
	  { 0x7e0202fa, 0xff014102, 0x7e0202fa, 0xff013002, 0x7e0202fa, 0x0000e402 } },
	{ "s_cmp_ne_u64 s[2:3], s[4:5]\ns_sendmsg sendmsg(MSG_GS, GS_OP_NOP)\ns_waitcnt vmcnt(0) lgkmcnt(0)", 3,
	  { 0xbf130402, 0xbf900002, 0xbf8c0070 } },
	{ "c = %-.5\nv_mul_f32 v1, c, v2\ns_mov_b32 vcc[1], s2", 2, { 0x0a0204f1, 0xbeeb0002 } },
	{ "v_mov_b32 v1, 1.0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v0, 0x12345678", 4,
	  { 0x7e0202f2, 0xbf8c007f, 0x7e0002ff, 0x12345678 } },
};

static struct image *assemble(const char *text, struct diag *d)
{
	struct image *im = image_new("t.asm", "asm", "gcn");
	struct isa_source source = { .text = text, .size = strlen(text) };

	assert_non_null(im);
	*d = (struct diag){ 0 };
	if (clrx_assemble(&source, im, d))
		return im;
	image_free(im);
	return NULL;
}

static void test_constructs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) {
		char text[1024];
		struct diag d;
		snprintf(text, sizeof text, ".rawcode\n.64bit\n.gpu Tonga\n%s\n", constructs[i].text);
		struct image *im = assemble(text, &d);
		if (!im)
			fail_msg("%s\n%d:%d: %s", text, d.line, d.column, d.text);
		const struct image_kernel *k = &im->kernels[0];
		for (unsigned w = 0; w < constructs[i].n && 4 * w < k->code_bytes; w++) {
			uint32_t found;
			memcpy(&found, k->code + 4 * w, 4);
			if (found != constructs[i].word[w])
				fail_msg("%s\nword %u: found 0x%08x, expected 0x%08x", text, w, found,
					 constructs[i].word[w]);
		}
		if (k->code_bytes != 4 * constructs[i].n)
			fail_msg("%s\n%u words, expected %u", text, k->code_bytes / 4, constructs[i].n);
		image_free(im);
	}
}

static const struct { const char *text; int line; const char *message; } refusals[] = {
	{ ".rawcode\n.gpu Tonga\n.int nowhere\n", 3, "nobody defines the symbol `nowhere`" },
	{ ".rawcode\n.gpu Tonga\ns_branch 4f\n", 3, "no label `4:` follows" },
	{ ".rawcode\n.gpu Tonga\n.rept 3\n.int 1\n", 3, "is never closed: .endr is missing" },
	{ ".rawcode\n.gpu Tonga\n.if 1\ns_nop 0\n", 3, ".endif is missing" },
	{ ".rawcode\n.gpu Tonga\nx: s_nop 0\nx: s_nop 0\n", 4, "defined already" },
	{ ".rawcode\n.gpu Tonga\n.macro m\nm\n.endm\nm\n", 4, "does a macro call itself" },
	{ ".rawcode\n.gpu Tonga\n.while 1\n.endr\n", 3, "never becomes 0" },
	{ ".rawcode\n.gpu Tonga\n.int 1/0\n", 3, "a division by 0" },
	{ ".rawcode\n.gpu Tonga\n.skip later\nlater = 4\n", 3, "not known yet" },
	{ ".rawcode\n.gpu Tonga\n.macro m x:req\n.int \\x\n.endm\nm\n", 6, "needs a value" },
	{ ".rawcode\n.gpu Tonga\n.error \"too small\"\n", 3, "the program says: too small" },
	{ ".rawcode\n.gpu Tonga\n.rodta\n", 3, "did you mean .rodata?" },
	{ ".rawcode\n.gpu Tango\n", 2, "unknown device `Tango`" },
	{ ".rawcode\n.gpu GFX1010\n", 2, "RDNA" },
	{ ".amdcl2\n.gpu Tonga\n.sgprsnum 4\n", 3, "belongs to a kernel" },
	{ ".amdcl2\n.gpu Tonga\ns_nop 0\n.text\n", 4, "code belongs to a kernel" },
	{ ".amdcl2\n.gpu Tonga\n.kernel a\n.config\n.arg x, strange\n", 5, "unknown type `strange`" },
	{ ".amdcl2\n.gpu Tonga\n.kernel a\n.config\n.arg x, counter\n", 5, "unknown type `counter`" },
	{ ".amdcl2\n.gpu Tonga\n.kernel a\n.config\n.arg x, int0\n", 5, "unknown type `int0`" },
	{ ".rawcode\n.gpu Tonga\n.regvar a:v:128, b:v:128, c:v:1\nv_mov_b32 c, a[0]\n", 3, "no 1 registers are left" },
	{ ".rawcode\n.gpu Tonga\nv_mov_b32 v0, 5 offn\n", 3, "offn" },
	{ ".rawcode\n.gpu Tonga\n.ends\n", 3, ".scope [NAME] opens one" },
};

static void test_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		struct diag d;
		struct image *im = assemble(refusals[i].text, &d);
		if (im)
			fail_msg("%s\nassembles, expected: %s", refusals[i].text, refusals[i].message);
		if (!strstr(d.text, refusals[i].message) || d.line != refusals[i].line)
			fail_msg("%s\nfound    %d: %s\nexpected %d: %s", refusals[i].text, d.line, d.text,
				 refusals[i].line, refusals[i].message);
	}
}

/* A kernel's configuration, by format. */
static void test_configuration(void **state)
{
	struct diag d;
	struct image *im = assemble(".amdcl2\n.gpu Tonga\n.64bit\n.kernel k\n.config\n.dims xy\n.cws 8,4\n.usesetup\n"
				    ".tgsize\n.vgprsnum 5\n.sgprsnum 20\n.localsize 100\n.setupargs\n.arg a, char\n"
				    ".arg b, double2\n.arg c, float*, local\n.text\ns_endpgm\n", &d);
	uint32_t rsrc2, properties;

	(void)state;
	if (!im)
		fail_msg("%d: %s", d.line, d.text);
	const struct image_kernel *k = &im->kernels[0];
	memcpy(&rsrc2, k->descriptor + 52, 4);
	memcpy(&properties, k->descriptor + 56, 4);
	assert_int_equal(rsrc2, 1 << 7 | 1 << 8 | 1 << 10 | 1 << 11);   /* x, y, the group's word, v0 and v1 */
	assert_int_equal(properties, 0xb);                              /* private memory, packet, arguments */
	assert_int_equal(k->regs, 8);
	assert_int_equal(k->smem, 100);
	assert_int_equal(k->launch.block[0], 8);
	assert_int_equal(k->launch.block[1], 4);
	assert_int_equal(k->nhidden, 6);
	assert_int_equal(k->nparams, 3);
	assert_int_equal(k->params[0].offset, 48);
	assert_int_equal(k->params[1].offset, 56);
	assert_int_equal(k->params[1].size, 16);
	assert_int_equal(k->params[2].offset, 72);
	assert_string_equal(k->params[2].kind, "dynamic_shared_pointer");
	image_free(im);
}

static void test_sniff(void **state)
{
	static const char *const own[] = { "/* x */\n  .amdcl2\n", ".gpu Fiji", "# c\n.RawCode\n" };
	static const char *const others[] = {
		".chip tonga\n s_endpgm\n", ".text\n.amdgcn_target \"x\"\n", "s_endpgm // .gpu\n",
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_true(clrx_sniff(own[i], strlen(own[i])));
		assert_false(clrx_sniff(others[i], strlen(others[i])));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_constructs), cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_configuration), cmocka_unit_test(test_sniff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
