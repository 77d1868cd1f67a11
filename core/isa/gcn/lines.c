/* Lines of a source for instructions with no line from the compiler, or a wrong line: a wavefront's masks come from
 * compares, and a person looks for the cost of masks at the condition.
 *
 * - An instruction that writes EXEC or branches under a condition takes the line of the compare behind its mask,
 * whatever line the file says: the compiler gives it the line of the code in front.
 * - An instruction without a line that makes a mask, or compares, takes the line of its operands' definitions.
 * - A compare without a line that the compiler moved behind an earlier line's instruction seems to have that line: a
 * compare of values from a later line, the line before the move, takes the later line (a switch, most of all).
 * - Any other instruction without a line takes the line of its block, or of a block that leads there.
 *
 * Definitions are searched backwards along the edges of the program, the nearest first. */
#include <string.h>

#include "core/base/arena.h"
#include "core/isa/gcn/gcn.h"
#include "core/isa/gcn/ops.h"
#include "core/isa/gcn/run.h"
#include "core/program.h"

/* Registers by number: scalar codes, scc, vector registers. NOTHING: an operand without a defining instruction. */
enum { REG_SCC = 128, REG_V = 256, NOTHING = -1, OPERANDS = 6, DEEPEST = 32 };

struct lines {
	const struct program *p;
	uint32_t n;                     /* words of code */
	struct isa_edge (*edge)[2];
	uint32_t *pred_begin, *pred;    /* predecessors of word i: from pred_begin[i] up to pred_begin[i + 1] */
	uint32_t *line;                 /* by word; 0: none */
	uint32_t *file_line;            /* lines from the file, by word */
	uint32_t *queue, *seen;         /* of a walk backwards: words to visit; by word, number of the last walk */
	uint32_t walk;
	uint8_t *visited;               /* by word: an instruction of the present chain of masks */
	uint64_t steps;                 /* remaining steps of all walks, a bound for malicious files */
};

/* ---- instructions ---- */

static unsigned encoding(const struct insn *in)
{
	return gcn_row_of(in)->encoding;
}

static bool is_scalar(const struct insn *in)
{
	unsigned e = encoding(in);

	return e == ENC_SOP1 || e == ENC_SOP2 || e == ENC_SOPC || e == ENC_SOPK;
}

static unsigned words_of(const struct opnd *o)
{
	return o->width > 4 ? (o->width + 3u) / 4 : 1;
}

static bool is_file(const struct opnd *o, enum gcn_file file)
{
	return o->shape == OPND_REG && o->file == file;
}

static bool is_exec_op(const struct insn *in)
{
	return gcn_row_of(in)->flags & EXEC_OPERAND;
}

static bool covers(const struct opnd *o, int reg)
{
	int first = o->reg + (o->file == FILE_V ? REG_V : 0);

	return (is_file(o, FILE_S) || is_file(o, FILE_V)) && reg >= first && reg < first + (int)words_of(o);
}

static bool writes(const struct insn *in, int reg)
{
	if (!in->row)
		return false;
	if (reg == CODE_EXEC)
		return gcn_writes_exec(in);
	if (reg == REG_SCC)
		return is_scalar(in) && in->row->exec != GCN_EXEC_s_mov_b32 && in->row->exec != GCN_EXEC_s_mov_b64;
	return covers(&in->dst, reg) ||
	       (in->flags_dst != FLAGS_NONE && (reg == in->flags_dst || reg == in->flags_dst + 1));
}

/* Does the result come from the bits of masks alone? */
static bool makes_mask(const struct insn *in)
{
	return is_scalar(in) && encoding(in) != ENC_SOPC && (is_exec_op(in) || in->dst.width == 8);
}

static bool is_compare(const struct insn *in)
{
	return encoding(in) == ENC_SOPC || (encoding(in) == ENC_SOPK && in->dst.shape == OPND_NONE) ||
	       (is_file(&in->dst, FILE_S) && !is_scalar(in) && encoding(in) != ENC_SMEM);
}

/* The register that a branch tests; NOTHING: no test. */
static int tested(const struct insn *in)
{
	uint32_t flags = gcn_row_of(in)->flags;

	return flags & TESTS_SCC ? REG_SCC : flags & TESTS_VCC ? CODE_VCC : flags & TESTS_EXEC ? CODE_EXEC : NOTHING;
}

static bool decides(const struct insn *in)
{
	return gcn_writes_exec(in) || tested(in) != NOTHING;
}

/* The operands of an instruction, EXEC last: every mask depends on EXEC, too. */
static unsigned operands(const struct insn *in, int reg[OPERANDS])
{
	unsigned n = 0;
	bool exec = is_exec_op(in);

	if (tested(in) != NOTHING)
		reg[n++] = tested(in);
	if (in->row->exec == GCN_EXEC_s_cselect_b64 || in->row->exec == GCN_EXEC_s_cmov_b64)
		reg[n++] = REG_SCC;
	for (int i = 0; i < ISA_MAX_SRC; i++) {
		const struct opnd *o = &in->src[i];
		if (is_file(o, FILE_S) && o->reg == CODE_EXEC)
			exec = true;
		else if (is_file(o, FILE_S) || is_file(o, FILE_V))
			reg[n++] = o->reg + (o->file == FILE_V ? REG_V : 0);
	}
	if (gcn_row_of(in)->flags & CARRY_IN && in->src[2].shape == OPND_NONE && n < OPERANDS)
		reg[n++] = CODE_VCC;
	if (exec && n < OPERANDS)
		reg[n++] = CODE_EXEC;
	return n;
}

/* ---- definitions ---- */

/* Calls found(l, d, depth) for the defining instructions d of `reg` before word i, the nearest first, until a call
 * gives a line. */
typedef uint32_t found_fn(struct lines *l, uint32_t d, unsigned depth);

static uint32_t definitions(struct lines *l, uint32_t i, int reg, unsigned depth, found_fn *found)
{
	enum { NEAR = 8 };              /* definitions to try */
	uint32_t at[NEAR], n = 0, head = 0, tail = 0, walk = ++l->walk, line = 0;

	for (l->queue[tail++] = i; head < tail && n < NEAR && l->steps; head++, l->steps--)
		for (uint32_t k = l->pred_begin[l->queue[head]]; k < l->pred_begin[l->queue[head] + 1]; k++) {
			uint32_t from = l->pred[k];
			if (l->seen[from] == walk)
				continue;
			l->seen[from] = walk;
			if (!writes(&l->p->insn[from], reg))
				l->queue[tail++] = from;
			else if (n < NEAR)
				at[n++] = from;
		}
	for (uint32_t k = 0; k < n && !line; k++)
		line = found(l, at[k], depth);
	return line;
}

/* The file's line of a definition. */
static uint32_t line_of_file(struct lines *l, uint32_t d, unsigned depth)
{
	(void)depth;
	return l->file_line[d];
}

static uint32_t line_of_operands(struct lines *l, uint32_t i, unsigned depth, found_fn *found)
{
	int reg[OPERANDS];
	unsigned n = operands(&l->p->insn[i], reg);
	uint32_t line = 0;

	for (unsigned k = 0; k < n && !line; k++)
		line = definitions(l, i, reg[k], depth, found);
	return line;
}

/* The line of the condition behind the mask of instruction d. */
static uint32_t line_of_mask(struct lines *l, uint32_t d, unsigned depth)
{
	const struct insn *in = &l->p->insn[d];
	uint32_t line;

	if (!makes_mask(in) && !(gcn_writes_exec(in) && !is_compare(in)))
		return l->file_line[d] || !is_compare(in) ? l->file_line[d] :
		       line_of_operands(l, d, depth, line_of_file);
	if (depth == DEEPEST || l->visited[d])
		return 0;
	l->visited[d] = 1;
	line = line_of_operands(l, d, depth + 1, line_of_mask);
	l->visited[d] = 0;
	return line;
}

/* ---- the whole program ---- */

static bool edges(struct lines *l, struct arena *a)
{
	uint32_t n = l->n, sum = 0;

	l->edge = arena_alloc(a, (n + 1) * sizeof *l->edge, 8);
	l->pred_begin = ARENA_ARRAY(a, uint32_t, n + 2);
	l->pred = ARENA_ARRAY(a, uint32_t, 2 * n + 1);
	if (!l->edge || !l->pred_begin || !l->pred)
		return false;
	memset(l->edge, 0, (n + 1) * sizeof *l->edge);
	if (!gcn_edges(l->p, l->edge))
		return false;
	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < n; i += l->p->insn[i].length / 4u)
			for (int e = 0; e < 2; e++) {
				uint32_t to = l->edge[i][e].to / 4;
				if (l->edge[i][e].kind == EDGE_NONE || l->edge[i][e].kind == EDGE_CALL || to >= n)
					continue;
				if (pass)
					l->pred[l->pred_begin[to]++] = i;
				else
					l->pred_begin[to + 1]++;
			}
		for (uint32_t i = 0; !pass && i <= n; i++)
			l->pred_begin[i] = sum += l->pred_begin[i];
	}
	for (uint32_t i = n; i; i--)    /* the second pass has moved each entry to the beginning of the next */
		l->pred_begin[i] = l->pred_begin[i - 1];
	l->pred_begin[0] = 0;
	return true;
}

/* Does word i follow its only predecessor, which has no other successor? */
static bool continues(const struct lines *l, uint32_t i)
{
	uint32_t before = l->pred_begin[i] < l->n ? l->pred[l->pred_begin[i]] : l->n;

	return l->pred_begin[i + 1] - l->pred_begin[i] == 1 && before < i && l->edge[before][1].kind == EDGE_NONE;
}

static bool reads(const struct insn *in, uint32_t d, const struct lines *l)
{
	int reg[OPERANDS];
	unsigned n = operands(in, reg);

	for (unsigned k = 0; k < n; k++)
		if (reg[k] != CODE_EXEC && writes(&l->p->insn[d], reg[k]))
			return true;
	return false;
}

/* The line that a compare has lost to the earlier line of the instructions right before; 0: none. Those have no other
 * compare and give the compare no operand, and the instruction before them, of the later line, does. */
static uint32_t lost_line(const struct lines *l, uint32_t i)
{
	uint32_t own = l->file_line[i], d = i;

	do {
		if (!continues(l, d))
			return 0;
		d = l->pred[l->pred_begin[d]];
		if (!l->p->insn[d].row)
			return 0;
		if (l->file_line[d] == own && (is_compare(&l->p->insn[d]) || reads(&l->p->insn[i], d, l)))
			return 0;
	} while (l->file_line[d] == own);
	bool moved = l->file_line[d] > own && l->pred[l->pred_begin[i]] != d && reads(&l->p->insn[i], d, l);

	return moved ? l->file_line[d] : 0;
}

static void lost_lines(struct lines *l)
{
	for (uint32_t i = 0; i < l->n; i += l->p->insn[i].length / 4u) {
		const struct insn *in = &l->p->insn[i];
		uint32_t line = in->row && l->file_line[i] && is_compare(in) ? lost_line(l, i) : 0;
		if (line)
			l->line[i] = line;
	}
	memcpy(l->file_line, l->line, l->n * sizeof *l->line);
}

static void lines_of_conditions(struct lines *l)
{
	for (uint32_t i = 0; i < l->n; i += l->p->insn[i].length / 4u) {
		const struct insn *in = &l->p->insn[i];
		uint32_t line = 0;
		if (in->row && decides(in))
			line = line_of_operands(l, i, 0, line_of_mask);
		else if (in->row && !l->file_line[i] && (makes_mask(in) || is_compare(in)))
			line = line_of_mask(l, i, 0);
		if (line)
			l->line[i] = line;
	}
}

static void lines_within_blocks(struct lines *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (!l->line[i] && continues(l, i))
			l->line[i] = l->line[l->pred[l->pred_begin[i]]];
	for (uint32_t i = l->n; i--;)
		if (continues(l, i) && !l->line[l->pred[l->pred_begin[i]]])
			l->line[l->pred[l->pred_begin[i]]] = l->line[i];
}

/* Lines along the edges, forwards and then backwards, until nothing changes. */
static void lines_of_blocks(struct lines *l)
{
	bool more = true;

	lines_within_blocks(l);
	for (int pass = 0; more && pass < DEEPEST; pass++) {
		more = false;
		for (uint32_t i = 0; i < l->n; i++)
			for (uint32_t k = l->pred_begin[i]; !l->line[i] && k < l->pred_begin[i + 1]; k++)
				more |= (l->line[i] = l->line[l->pred[k]]) != 0;
		for (uint32_t i = l->n; i--;)
			for (uint32_t k = l->pred_begin[i]; l->line[i] && k < l->pred_begin[i + 1]; k++)
				if (!l->line[l->pred[k]]) {
					l->line[l->pred[k]] = l->line[i];
					more = true;
				}
	}
}

bool gcn_lines(const struct program *p, uint32_t *line, struct arena *a)
{
	struct lines l = { .p = p, .n = p->code_bytes / 4, .line = line };

	l.steps = 64ull * l.n + (1 << 20);
	l.file_line = ARENA_ARRAY(a, uint32_t, l.n + 1);
	l.queue = ARENA_ARRAY(a, uint32_t, l.n + 1);
	l.seen = ARENA_ARRAY(a, uint32_t, l.n + 1);
	l.visited = ARENA_ARRAY(a, uint8_t, l.n + 1);
	if (!l.file_line || !l.queue || !l.seen || !l.visited || !edges(&l, a))
		return false;
	memcpy(l.file_line, line, l.n * sizeof *line);
	lost_lines(&l);
	lines_of_conditions(&l);
	lines_of_blocks(&l);
	return true;
}
