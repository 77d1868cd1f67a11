/* Executors of texture instructions: operands into a request to the texture unit (mem/texture.h), the unit's words into
 * registers. The unit reads the coordinates of all lanes of a quad, whatever the masks, for derivatives. */
#include "core/isa/tesla/exec.h"
#include "mem/mem.h"
#include "mem/texture.h"

/* Compute programs have fewer textures and samplers. */
enum { COMPUTE_TEXTURES = 128, COMPUTE_SAMPLERS = 16 };

static bool in_compute(const struct exec *x)
{
	return x->program->target.mode == MODE_CP;
}

static const struct texture *texture_of(const struct exec *x, unsigned t)
{
	const struct texture_set *set = x->memory->textures;

	return set && t < (in_compute(x) ? COMPUTE_TEXTURES : TEXTURES) ? set->t[t] : NULL;
}

/* A fetch takes of sampler 0 whether textures are converted from sRGB. */
static const struct sampler *sampler_of(const struct exec *x, const struct insn *in, enum texture_op op)
{
	const struct texture_set *set = x->memory->textures;
	unsigned s = set->rules.linked ? in->src[1].reg : op == TEXTURE_FETCH ? 0 : in->src[2].reg;

	if (s < (in_compute(x) ? COMPUTE_SAMPLERS : SAMPLERS) && set->s[s])
		return set->s[s];
	return &texture_default_sampler;
}

static void notices(struct exec *x, const struct texture *t, const struct sampler *s, enum texture_op op)
{
	if (op > TEXTURE_SAMPLE_LOD)
		return;
	if (t->integer && (s->mag_linear || s->min_linear))
		exec_notice(x, NOTICE_TEXTURE_FILTER);
	if (s->anisotropic)
		exec_notice(x, NOTICE_TEXTURE_ANISOTROPY);
}

static int refused(struct exec *x, enum texture_status status, const struct texture_fault *f)
{
	switch (status) {
	case TEXTURE_BAD_FORMAT: return exec_fault(x, FAULT_UNSUPPORTED_FORMAT, f->lanes, f->detail);
	case TEXTURE_UNMAPPED: return exec_fault(x, FAULT_TEXTURE_UNMAPPED, f->lanes, f->detail);
	default: return exec_fault(x, FAULT_UNSUPPORTED_TEXTURE, f->lanes, f->detail);
	}
}

/* The result lanes, without helper lanes (`live`). */
static lane_mask wanted(const struct exec *x, const struct insn *in)
{
	return in->mod[MOD_LIVE] ? x->step.executed & ~tesla_invisible(x) : x->step.executed;
}

/* Enabled words go to consecutive registers. */
static void put_words(struct exec *x, const struct insn *in, const struct row v[4], lane_mask on)
{
	unsigned reg = in->dst.reg;

	for (unsigned c = 0; c < 4; c++)
		if (in->dst.mask >> c & 1)
			write_reg(x->warp, reg++, &v[c], on);
}

/* Note the request's lines for the clock: as many as an access can name. */
static void note_lines(struct exec *x, const struct texture_lines *lines)
{
	struct access *to;

	if (x->step.accesses == STEP_ACCESSES || !lines->n)
		return;
	to = &x->step.access[x->step.accesses++];
	*to = (struct access){ .kind = ACCESS_LOAD, .space = MEM_TEXTURE, .width = TEXTURE_LINE,
			       .lanes = lanes_first((int)lines->n) };
	for (unsigned i = 0; i < lines->n; i++)
		to->addr[i] = lines->line[i] * TEXTURE_LINE;
}

static int texture(struct exec *x, const struct insn *in, enum texture_op op)
{
	const struct texture *t = texture_of(x, in->src[1].reg);
	const struct sampler *s;
	const struct opnd *from = &in->src[0];
	struct texture_request r = {
		.op = op, .cube = in->mod[MOD_CUBE], .lanes = LANES, .on = wanted(x, in),
		.derivatives = in->mod[MOD_DERIV] || x->program->target.mode == MODE_FP,
		.component = op == TEXTURE_GATHER ? in->mod[MOD_COMPONENT] : 0,
		.inputs = from->shape == OPND_VECTOR ? from->count : 1,
		.offset = { (int8_t)in->mod[MOD_OFFX], (int8_t)in->mod[MOD_OFFY], (int8_t)in->mod[MOD_OFFZ] },
	};
	struct row v[4];
	uint32_t *const out[4] = { v[0].lane, v[1].lane, v[2].lane, v[3].lane };
	uint64_t seen[LANES_MAX];
	struct texture_lines lines = { .most = LANES_MAX, .line = seen };
	bool timed = x->timed && x->hooks.access;
	struct texture_fault fault;
	enum texture_status status;

	if (!t && !x->step.executed)
		return STEP_OK; /* no lane wants the texture */
	if (!t)
		return exec_fault(x, FAULT_TEXTURE_UNBOUND, x->step.executed, in->src[1].reg);
	s = sampler_of(x, in, op);
	for (unsigned i = 0; i < r.inputs; i++)
		r.in[i] = reg_row(x->warp, from->reg + i)->lane;
	notices(x, t, s, op);
	status = texture_request(t, s, &x->memory->textures->rules, &r, out,
				 timed ? &lines : NULL, &fault);
	if (status != TEXTURE_OK)
		return refused(x, status, &fault);
	put_words(x, in, v, r.on);
	if (timed)
		note_lines(x, &lines);
	return STEP_OK;
}

EXEC(texauto)
{
	return texture(x, in, TEXTURE_SAMPLE);
}

EXEC(texbias)
{
	return texture(x, in, TEXTURE_SAMPLE_BIAS);
}

EXEC(texlod)
{
	return texture(x, in, TEXTURE_SAMPLE_LOD);
}

EXEC(texfetch)
{
	return texture(x, in, TEXTURE_FETCH);
}

EXEC(texsize)
{
	return texture(x, in, TEXTURE_SIZE);
}

EXEC(texprep)
{
	return texture(x, in, TEXTURE_CUBE_PREPARE);
}

EXEC(texquerylod)
{
	return texture(x, in, TEXTURE_QUERY_LOD);
}

EXEC(texgather)
{
	return texture(x, in, TEXTURE_GATHER);
}

/* The effect is unknown (spec tesla-graphics 5). */
EXEC(texcsaa)
{
	return exec_fault(x, FAULT_UNSUPPORTED_TEXTURE, x->step.executed, 0);
}
