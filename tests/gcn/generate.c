/* A grammar expanded with a seed. Nothing undefined in C is written: shifts are of less than the width, divisors odd,
 * signed arithmetic wraps by way of unsigned, the size of floats is between 0.25 and 1,000,000.25 after each statement
 * (so that no conversion overflows and nothing is denormal, which chips flush differently), divisions of floats are
 * left out (the standard allows an error). Loops count to a bound.
 *
 * z is 0, unknown to the compiler. z stands where LLVM 14 takes an unsigned operand with copies of one bit in the upper
 * bits, (uint)(int)(short)0xf1a4 say, for a small number: LLVM then divides as floats (LowerDIVREM24 did not ask
 * whether the copies are zeros; llvm/llvm-project issue 194829, mended by pull request 196418), and multiplies by
 * v_mul_hi_i32_i24 (performMulLoHiCombine; pull request 105831). Operands that are small numbers are written without z.
 * z is added: min(a ^ z, b ^ z) ^ z would be min(a, b) to LLVM.
 * Differences to a minimum of the same word, a - min(a, 5), are not written either: on tonga LLVM makes v_sub_u32 with
 * clamp of them and loses the clamp with a literal.
 * Quotients of 64-bit numbers with upper words known to be 0 are not written: LLVM divides those as floats, too,
 * however large the lower words are (getDivNumBits; pull request 80622).
 * Floats are brought into their range without a condition: LLVM 14 moves what depends on a condition behind the loop,
 * and takes there the condition of the last round for lanes that left earlier (pull request 67456).
 * What LLVM 19 gets wrong with constants behind loops with calls (docs/reference/opencl.md) is still written: with
 * variables that begin with unknown values instead of constants, LLVM 14 takes several times as long for some files. */
#include "tests/gcn/generate.h"

#include <stdarg.h>
#include <stdbool.h>

enum { DEEPEST = 4, FUNCTIONS = 2 };

struct generator {
	uint64_t state;
	FILE *out;
	int budget;             /* statements still to write */
	int loops;              /* names of counters */
	bool function;          /* within a function: no input, no calls */
	bool group;             /* a kernel of phases: no doubles, which most Tesla chips lack */
	bool phases;            /* barriers follow: nobody leaves */
	const char *readable;   /* local array that nobody writes in this phase; NULL: none */
	bool sums_readable;     /* nobody adds to sz in this phase */
	unsigned features;      /* GROUP_… of a kernel of phases */
};

static unsigned pick(struct generator *g, unsigned n)
{
	g->state += 0x9e3779b97f4a7c15ull;
	uint64_t z = g->state;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return (unsigned)((z ^ (z >> 31)) >> 16) % n;
}

static void put(struct generator *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(struct generator *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(g->out, fmt, ap);
	va_end(ap);
}

static void real(struct generator *g, int depth);

/* What a kernel of phases has besides: local arrays, __constant parameters, predicates, unaligned vectors. */
static void group_word(struct generator *g)
{
	char name = "abcd"[pick(g, 4)], component = "xyz"[pick(g, 3)];
	unsigned kind = pick(g, 8);
	bool wanted = kind < 2 ? g->features & GROUP_CONSTANTS : kind < 3 || kind > 5 || g->features & GROUP_UNALIGNED;

	switch (wanted ? kind : 7) {
	case 0: put(g, "w[%c & 63]", name); break;
	case 1: put(g, "w[%u]", pick(g, 64)); break;
	case 2: put(g, "(uint)%c", "pq"[pick(g, 2)]); break;
	case 3: put(g, "vload4(0, in + (%c & 255)).%c", name, component); break;
	case 4: put(g, "(uint)vload16(0, (__global const uchar *)in + (%c & 511)).s%x", name, pick(g, 16)); break;
	case 5: put(g, "vload3(%c & 63, in + 1).%c", name, component); break;
	case 6:
		if (g->sums_readable) {
			put(g, "sz[%c & 15]", name);
			break;
		}
		/* fall through */
	default: put(g, "%s[(%c + %u) & 127]", g->readable, name, pick(g, 128));
	}
}

/* An expression of type uint. A '%' of the pattern stands for a subexpression, a '@' for the operator %. */
static void word(struct generator *g, int depth)
{
	static const char *const patterns[] = {
		"(% + %)", "(% - %)", "(% * %)", "(% ^ %)", "(% & %)", "(% | %)", "(% << (% & 31))", "(% >> (% & 31))",
		"((% + z) / (% | 1))", "((% + z) @ (% | 1))", "((% & 0x3fffff) / (% & 0xffff | 1))",
		"((% & 0x3fffff) @ (% & 0xffff | 1))", "(uint)((int)% >> (% & 31))",
		"(uint)((int)% / (int)(% & 0xffff | 1))", "(uint)((int)% @ (int)(% & 0xffff | 1))",
		"(uint)(% < %)", "(uint)((int)% < (int)%)", "(% == % ? % : %)", "(% > % ? % : %)", "min(% + z, % + z)",
		"max(% + z, % + z)", "(uint)max((int)%, (int)%)", "mul_hi(%, % + z)", "(uint)mul_hi((int)%, (int)%)",
		"mul_hi(% & 0xffffff, % & 0xffffff)", "rotate(%, % & 31)", "~%", "(uint)(uchar)%",
		"(uint)(int)(short)%", "(uint)(int)(char)%", "popcount(%)", "(uint)((ulong)% * (% + z) >> 20)",
		"(uint)(((ulong)(% + z) << 32 | %) / (% | 1))",
		"(uint)(((long)(int)% * (int)%) >> (% & 63))", "t[% & 7]", "(% && % ? % : %)", "(uint)(!% || %)",
	};
	static const char names[] = "abcd";

	if (g->readable && pick(g, 4) == 0) {
		group_word(g);
		return;
	}
	if (depth <= 0 || pick(g, 4) == 0) {
		unsigned k = pick(g, 9);
		if (k < 5)
			put(g, "%c", names[k & 3]);
		else if (k == 5)
			put(g, "%uu", pick(g, 16));
		else if (k == 6)
			put(g, "0x%xu", pick(g, 0xffffffff));
		else if (k == 7 && !g->function)
			put(g, "in[(%c + %u) & 255]", names[pick(g, 4)], pick(g, 256));
		else
			put(g, "(uint)(int)%c", "xy"[pick(g, 2)]);
		return;
	}
	if (pick(g, 12) == 0 && !g->function) {
		put(g, "f%u(", pick(g, FUNCTIONS));
		word(g, depth - 2);
		put(g, ", ");
		word(g, depth - 2);
		put(g, ", %c, z)", "xy"[pick(g, 2)]);
		return;
	}
	if (pick(g, 10) == 0) {
		put(g, "(uint)(");
		real(g, 1);
		put(g, pick(g, 2) ? " < " : " >= ");
		real(g, 1);
		put(g, ")");
		return;
	}
	unsigned which = pick(g, sizeof patterns / sizeof *patterns);
	for (const char *p = patterns[which]; *p; p++)
		if (*p == '%')
			word(g, depth - 1);
		else
			put(g, "%c", *p == '@' ? '%' : *p);
}

/* At most two factors, so that nothing comes near to an underflow. */
static void real(struct generator *g, int depth)
{
	unsigned kind = depth <= 0 ? pick(g, 3) : pick(g, 12);

	switch (kind == 10 && g->group ? 9 : kind) {
	case 0: put(g, "x"); break;
	case 1: put(g, "y"); break;
	case 2: put(g, "%u.%uf", pick(g, 100), 1 + pick(g, 99)); break;
	case 3: put(g, "(float)(int)"); word(g, 1); break;
	case 4: put(g, "(float)("); word(g, 1); put(g, " & 0xffffff)"); break;
	case 5: put(g, "floor("); real(g, depth - 1); put(g, ")"); break;
	case 6: put(g, "fabs("); real(g, depth - 1); put(g, ")"); break;
	case 7: put(g, "-"); real(g, 0); break;
	case 8: put(g, "fmin("); real(g, depth - 1); put(g, ", "); real(g, depth - 1); put(g, ")"); break;
	case 9: put(g, "("); real(g, 0); put(g, " * "); real(g, 0); put(g, ")"); break;
	case 10: put(g, "(float)((double)"); real(g, 0); put(g, " * 0.37 + (double)"); real(g, 0); put(g, ")"); break;
	default:
		put(g, "(");
		real(g, depth - 1);
		put(g, pick(g, 2) ? " + " : " - ");
		real(g, depth - 1);
		put(g, ")");
	}
}

static void block(struct generator *g, int depth, int loops);

static void assign(struct generator *g)
{
	if (pick(g, 4) == 0) {
		char name = "xy"[pick(g, 2)];
		put(g, "%c = ", name);
		real(g, 2);
		put(g, "; %c = as_float(as_uint(fmin(fabs(%c), 1e6f) + 0.25f) | (as_uint(%c) & 0x80000000u));\n", name,
		    name, name);
		return;
	}
	if (pick(g, 5) == 0) {
		put(g, "t[");
		word(g, 1);
		put(g, " & 7] = ");
	} else {
		put(g, "%c %s ", "abcd"[pick(g, 4)], (const char *[]){ "=", "+=", "^=", "-=" }[pick(g, 4)]);
	}
	word(g, 3);
	put(g, ";\n");
}

static void branch(struct generator *g, int depth, int loops)
{
	static const char *const predicates[] = { "p", "!p", "q", "!q", "p && !q", "p || q", "p != q" };

	if (g->readable && pick(g, 2)) {
		put(g, "if (%s) {\n", predicates[pick(g, sizeof predicates / sizeof *predicates)]);
	} else {
		put(g, "if (");
		word(g, 2);
		put(g, " & %u) {\n", 1 + pick(g, 7));
	}
	block(g, depth - 1, loops);
	if (pick(g, 2)) {
		put(g, "} else {\n");
		block(g, depth - 1, loops);
	}
	put(g, "}\n");
}

static void loop(struct generator *g, int depth, int loops)
{
	int i = g->loops++;
	unsigned kind = pick(g, 3);

	put(g, "uint i%d = 0, n%d = ", i, i);
	word(g, 1);
	put(g, " & %d;\n", loops ? 3 : 15);
	if (kind == 0)
		put(g, "for (; i%d < n%d; i%d++) {\n", i, i, i);
	else if (kind == 1)
		put(g, "while (i%d++ < n%d) {\n", i, i);
	else
		put(g, "do {\n");
	block(g, depth - 1, loops + 1);
	if (kind == 2)
		put(g, "} while (++i%d < n%d);\n", i, i);
	else
		put(g, "}\n");
}

static void choice(struct generator *g, int depth, int loops)
{
	unsigned cases = 2 + pick(g, 5);

	put(g, "switch (");
	word(g, 2);
	put(g, " & 7) {\n");
	for (unsigned k = 0; k < cases; k++) {
		put(g, "case %u:\n", k);
		block(g, depth - 1, loops);
		if (pick(g, 3))
			put(g, "break;\n");
	}
	put(g, "default:\n");
	block(g, depth - 1, loops);
	put(g, "}\n");
}

/* Out of a loop, on to the next round, or out of all loops. */
static void leave(struct generator *g, int loops)
{
	if (g->phases && !loops) {
		assign(g);
		return;
	}
	put(g, "if ((");
	word(g, 2);
	put(g, " & 15) == %u) ", pick(g, 16));
	if (loops && (g->phases || pick(g, 4)))
		put(g, pick(g, 2) ? "break;\n" : "continue;\n");
	else
		put(g, g->function ? "return a + b;\n" : "goto out;\n");
}

static void block(struct generator *g, int depth, int loops)
{
	unsigned n = 1 + pick(g, 4);

	put(g, "{\n");
	for (unsigned i = 0; i < n && g->budget-- > 0; i++) {
		unsigned k = depth > 0 ? pick(g, 10) : pick(g, 5);
		if (k == 4)
			leave(g, loops);
		else if (k < 5)
			assign(g);
		else if (k < 8)
			branch(g, depth, loops);
		else if (k < 9)
			loop(g, depth, loops);
		else
			choice(g, depth, loops);
	}
	put(g, ";}\n");
}

static void body(struct generator *g, bool function)
{
	g->function = function;
	g->budget = function ? 6 : 30;
	put(g, "uint t[8];\nfor (uint k = 0; k < 8; k++) t[k] = k * a + d;\n");
	do
		block(g, function ? 2 : DEEPEST, 0);
	while (!function && g->budget > 0);
}

static void functions(struct generator *g, unsigned kernel)
{
	for (unsigned f = 0; f < FUNCTIONS; f++) {
		put(g, "#define f%u f%u_%u\n", f, f, kernel);
		put(g, "static %s uint f%u(uint a, uint b, float x, uint z)\n"
		    "{\nuint c = a ^ b, d = 7; float y = 0.5f;\n",
		    pick(g, 2) ? "__attribute__((noinline))" : "inline", f);
		body(g, true);
		put(g, "return a ^ b ^ c ^ d ^ t[a & 7] ^ as_uint(x) ^ as_uint(y);\n}\n");
	}
}

/* ---- kernels of phases ----
 *
 * In a phase all read one local array, and each work-item writes its own elements of the other one: those from its id
 * on (or from its id counted from the end) in steps of the size. After a barrier the arrays change places. Sums in sz
 * grow by one kind of atomic in a phase, and are read in the next. Loops around phases have one number of rounds for
 * all; whether the compiler can know that, varies. */

static void add_to_sums(struct generator *g)
{
	put(g, "%s(&sz[", (const char *[]){ "atomic_add", "atomic_xor", "atomic_max" }[pick(g, 3)]);
	word(g, 1);
	put(g, " & 15], ");
	word(g, 2);
	put(g, ");\n");
}

/* Lanes' own code: a part of the budget. */
static void own_code(struct generator *g, int loops)
{
	int rest = g->budget;

	g->budget = 5;
	block(g, 2, loops);
	g->budget = rest;
}

static void phase(struct generator *g, const char *from, const char *to, bool adds, bool sums_readable)
{
	int j = g->loops++;

	g->readable = from;
	g->sums_readable = sums_readable;
	if (pick(g, 3) == 0)
		own_code(g, 0);
	put(g, "for (uint j%d = %s; j%d < 128; j%d += size) {\n", j, pick(g, 3) ? "l" : "size - 1 - l", j, j);
	if (pick(g, 3) == 0)
		own_code(g, 1);
	if (pick(g, 4) == 0)
		put(g, "if (%s)\n", pick(g, 2) ? "p" : "!q");
	put(g, "%s[j%d] = ", to, j);
	word(g, 2);
	put(g, ";\n}\n");
	if (adds) {
		if (pick(g, 2))
			put(g, "if (%s)\n", pick(g, 2) ? "q" : "!p");
		add_to_sums(g);
	}
	if (pick(g, 4) == 0)
		own_code(g, 0);
	if (pick(g, 4) == 0) {
		put(g, "%c = ", "pq"[pick(g, 2)]);
		word(g, 1);
		put(g, " & 2;\n");
	}
	put(g, "barrier(CLK_LOCAL_MEM_FENCE);\n");
}

/* Two phases: the arrays are as before. */
static void phases(struct generator *g, bool atomics)
{
	static const char *const rounds[] = { "1 + n % 3", "uniform & 3", "2", "in[7] & 3" };
	int r = g->loops++;
	bool loop = pick(g, 2), adds = atomics && pick(g, 2), choice = !loop && pick(g, 4) == 0;

	if (pick(g, 3) == 0)
		put(g, "uniform = sa[%u];\nbarrier(CLK_LOCAL_MEM_FENCE);\n", pick(g, 128));
	if (loop)
		put(g, "for (uint r%d = 0; r%d < (%s); r%d++) {\n", r, r, rounds[pick(g, 4)], r);
	else if (choice)
		put(g, "if (uniform & 1) {\n");
	phase(g, "sa", "sb", adds, false);
	phase(g, "sb", "sa", false, true);
	if (loop || choice)
		put(g, "}\n");
}

void generate_group_kernels(uint64_t seed, unsigned count, unsigned features, FILE *out)
{
	fprintf(out, "#pragma OPENCL FP_CONTRACT OFF\n");
	for (unsigned i = 0; i < count; i++) {
		struct generator g = { .state = seed + i, .out = out, .group = true, .features = features };
		functions(&g, i);
		g.function = false;
		put(&g, "__kernel void k%u(__global uint *out, __global const uint *in, uint n, ", i);
		put(&g, "__constant uint *w)\n{\n");
		put(&g, "__local uint sa[128], sb[128], sz[16];\n");
		put(&g, "uint l = get_local_id(0), size = get_local_size(0), i = get_global_id(0), uniform = n;\n");
		put(&g, "uint a = in[i & 255], b = l, c = n, d = 1, z = n - %u;\n", GENERATED_N);
		put(&g, "bool p = a & %u, q = l > %u;\n", 1u << pick(&g, 5), pick(&g, 64));
		put(&g, "float x = 1.5f, y = (float)i;\ny = y + 0.25f;\n");
		put(&g, "uint t[8];\nfor (uint k = 0; k < 8; k++) t[k] = k * a + d;\n");
		put(&g, "for (uint k = l; k < 128; k += size) {\nsa[k] = in[k + n];\nsb[k] = k;\n}\n");
		put(&g, "for (uint k = l; k < 16; k += size) sz[k] = %s[k];\nbarrier(CLK_LOCAL_MEM_FENCE);\n",
		    features & GROUP_CONSTANTS ? "w" : "in");
		g.phases = true;
		for (unsigned k = 1 + pick(&g, 3); k > 0; k--)
			phases(&g, features & GROUP_ATOMICS);
		g.phases = false;
		g.budget = 8;
		block(&g, 2, 0);
		put(&g, "out: out[4 * i] = a + 3 * b;\n");
		put(&g, "out[4 * i + 1] = c ^ d ^ sa[l & 127] ^ (p ? 7 : 0) ^ sz[l & 15];\n");
		put(&g, "out[4 * i + 2] = as_uint(x) ^ as_uint(y) ^ (q ? 7 : 0);\n");
		put(&g, "out[4 * i + 3] = t[0] ^ t[a & 7];\n");
		if (features & GROUP_UNALIGNED) {
			put(&g, "vstore3((uint3)(a, b, c), i, out + 4097);\n");
			put(&g, "vstore16(vload16(0, (__global const uchar *)in + (d & 1023)), i, "
			    "(__global uchar *)out + 32769);\n");
		}
		put(&g, "for (uint k = l; k < 128; k += size) out[12288 + get_group_id(0) * 128 + k] = sa[k];\n");
		put(&g, "}\n#undef f0\n#undef f1\n");
	}
}

void generate_kernels(uint64_t seed, unsigned count, FILE *out)
{
	fprintf(out, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n");
	for (unsigned i = 0; i < count; i++) {
		struct generator g = { .state = seed + i, .out = out };
		functions(&g, i);
		put(&g, "__kernel void k%u(__global uint *out, __global const uint *in, uint n)\n{\n", i);
		put(&g, "uint i = get_global_id(0), a = in[i & 255], b = i, c = n, d = 1, z = n - %u;\n", GENERATED_N);
		put(&g, "float x = 1.5f, y = (float)i;\ny = y + 0.25f;\n");
		body(&g, false);
		put(&g, "out: out[4 * i] = a + 3 * b;\nout[4 * i + 1] = c ^ d;\n");
		put(&g, "out[4 * i + 2] = as_uint(x) ^ as_uint(y);\n");
		put(&g, "out[4 * i + 3] = t[0] ^ t[a & 7];\n}\n#undef f0\n#undef f1\n");
	}
}
