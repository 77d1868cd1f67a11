/* Words of graphics threads: into rows when a warp starts, out of rows when lanes end. Outputs have places by thread
 * number, so that order of execution, host threads and a second run do not matter. */
#include "core/isa/tesla/stage.h"

#include <string.h>

#include "core/diverge.h"
#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/flow.h"
#include "core/isa/tesla/threaded.h"

/* Rows up to an operand's word of a[] or o[]. */
static uint16_t rows_of(const struct opnd *o)
{
	uint32_t word = (uint32_t)o->value / 4;

	return (uint16_t)(o->addr_reg || word >= STAGE_ROWS ? STAGE_ROWS : word + 1);
}

static void at_least(uint16_t *rows, const struct opnd *o, enum tesla_space space)
{
	if (o->shape == OPND_MEM && o->file == space && rows_of(o) > *rows)
		*rows = rows_of(o);
}

void stage_rows(const struct program *p, uint16_t *inputs, uint16_t *outputs)
{
	*inputs = p->target.mode == MODE_FP ? FRAGMENT_WORDS : 0;
	*outputs = 0;
	for (uint32_t i = 0; i < p->code_bytes / 4; i++) {
		const struct insn *in = &p->insn[i];
		if (!in->row || in->refused)
			continue;
		for (int k = 0; k < ISA_MAX_SRC; k++)
			at_least(inputs, &in->src[k], SPACE_A);
		at_least(outputs, &in->dst, SPACE_O);
	}
}

static const struct tesla_code *code_of(const struct program *p)
{
	return (const struct tesla_code *)p->threaded;
}

/* Words of consecutive threads, as rows. */
static void take(struct stage *s, const struct stream *stream, uint32_t lanes)
{
	uint32_t words = stream->in_words < s->inputs ? stream->in_words : s->inputs;
	const uint32_t *in = stream->in + (size_t)s->first_thread * stream->in_words;

	for (uint32_t l = 0; l < lanes; l++, in += stream->in_words)
		for (uint32_t i = 0; i < words; i++)
			s->words[i].lane[l] = in[i];
}

void stage_start(struct block *b, struct warp *w, const struct program *p, struct stage *s)
{
	const struct stream *stream = p->stream;
	uint32_t left, free_lanes = (uint32_t)lanes_count(w->launched);

	s->inputs = code_of(p)->inputs;
	s->outputs = code_of(p)->outputs;
	s->warp = b->index * b->nwarps + w->id;
	s->first_thread = b->index * b->threads + w->id * (uint32_t)LANES;
	memset(&s->emitted, 0, sizeof s->emitted + (s->inputs + s->outputs) * sizeof(struct row));
	tesla_state(w)->stage = s;
	if (!stream)
		return;
	left = stream->threads > s->first_thread ? stream->threads - s->first_thread : 0;
	if (left < free_lanes)
		warp_start(w, (int)left, w->pc);
	take(s, stream, left < free_lanes ? left : free_lanes);
	for (int l = 0; stream->planes && l < LANES; l++)
		w->helper |= (lane_mask)(s->words[FRAGMENT_COVERED].lane[l] == 0) << l;
	w->helper &= w->launched;
}

/* ---- outputs ---- */

static void give_vertex(const struct exec *x, const struct stream *stream, const struct stage *s, int lane)
{
	uint32_t *out = stream->out + (size_t)(s->first_thread + (uint32_t)lane) * stream->out_words;

	for (uint32_t i = 0; i < stream->out_words; i++)
		out[i] = i < s->outputs ? s->words[s->inputs + i].lane[lane] : 0;
}

/* The first registers, and whether they are a result. */
static void give_fragment(const struct exec *x, const struct stream *stream, const struct stage *s, int lane)
{
	uint32_t *out = stream->out + (size_t)(s->first_thread + (uint32_t)lane) * (stream->out_words + 1);

	for (uint32_t i = 0; i < stream->out_words; i++)
		out[i] = reg_row(x->warp, i)->lane[lane];
	out[stream->out_words] = !(x->warp->helper >> lane & 1);
}

void stage_give(struct exec *x, lane_mask lanes)
{
	const struct stage *s = tesla_state(x->warp)->stage;
	const struct stream *stream = x->program->stream;

	if (!s || !stream || !stream->out)
		return;
	x->result_lanes[s->warp] |= lanes;
	if (stream->emit_most)
		return;
	FOR_SET_LANES(l, lanes) {
		if (stream->planes)
			give_fragment(x, stream, s, l);
		else
			give_vertex(x, stream, s, l);
	}
}

void tesla_threads(const struct program *p, struct isa_threads *out)
{
	static const uint8_t stages[] = {
		[MODE_VP] = STAGE_VERTEX, [MODE_GP] = STAGE_PRIMITIVE, [MODE_FP] = STAGE_FRAGMENT,
		[MODE_CP] = STAGE_COMPUTE,
	};

	*out = (struct isa_threads){ .stage = (enum isa_stage)stages[p->target.mode & MODE_ALL],
		.in_words = code_of(p)->inputs, .out_words = code_of(p)->outputs };
}
