/* Executors that only vertex, geometry or fragment programs have (spec tesla-graphics): attributes and outputs by
 * address registers, interpolation, discard, emitted vertices. */
#include <string.h>

#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/fetch.h"
#include "core/isa/tesla/flow.h"
#include "core/trace.h"

/* Words outside read 0. */
EXEC(ld_a)
{
	const struct stream *stream = x->program->stream;
	const struct stage *s = tesla_state(x->warp)->stage;
	uint32_t addr[LANES], words = stream && stream->in_words < s->inputs ? stream->in_words : s->inputs;
	lane_mask outside = 0;
	struct row v;

	addresses(x, &in->src[0], addr);
	FOR_LANES(l) {
		bool there = addr[l] / 4 < words;
		v.lane[l] = there ? s->words[addr[l] / 4].lane[l] : 0;
		outside |= (lane_mask)!there << l;
	}
	if (outside & x->step.executed)
		exec_notice(x, NOTICE_OUTSIDE_STAGE);
	write_row(x, in, &v);
	return STEP_OK;
}

/* Words outside are ignored. */
EXEC(st_o)
{
	const struct opnd *o = &in->dst;
	lane_mask outside = 0;
	uint32_t addr[LANES];
	struct row tmp;
	const struct row *v = src_row(x, in, 0, &tmp);

	if (bad_increment(o))
		return exec_fault(x, FAULT_ILLEGAL_POSTINCR, x->step.executed, 0);
	addresses(x, o, addr);
	FOR_SET_LANES(l, x->step.executed) {
		struct row *to = output_row(x->warp, addr[l]);
		if (to)
			to->lane[l] = v->lane[l];
		else
			outside |= 1ull << l;
	}
	if (outside)
		exec_notice(x, NOTICE_OUTSIDE_STAGE);
	increment(x, o);
	return STEP_OK;
}

enum { INTERP_CENTROID = 1, INTERP_FLAT = 2 };

/* Each step is rounded to nearest, the sum in binary64 (spec tesla-graphics 4.2: chosen). */
static uint32_t sample(const struct plane *p, float x, float y)
{
	double t = (double)f32_value(p->dx) * (double)x + (double)f32_value(p->dy) * (double)y;

	return f32_canonical(f32_flush(f32_bits((float)(t + (double)f32_value(p->base)))));
}

EXEC(interp)
{
	const struct stream *stream = x->program->stream;
	const struct stage *s = tesla_state(x->warp)->stage;
	unsigned how = in->mod[MOD_OP];
	const struct row *px = &s->words[how == INTERP_CENTROID ? FRAGMENT_CENTROID_X : FRAGMENT_X], *py = px + 1;
	bool scaled = in->src[1].shape != OPND_NONE;
	uint32_t addr[LANES], flip = in->mod[MOD_NEG2] ? F32_SIGN : 0, kinds = 0, cc;
	struct row tmp, v;
	const struct row *by = scaled ? src_row(x, in, 1, &tmp) : NULL;

	if (!stream || !stream->planes)
		memset(&v, 0, sizeof v);
	else
		addresses(x, &in->src[0], addr);
	for (int l = 0; stream && stream->planes && l < LANES; l++) {
		const struct plane *p = &stream->planes[addr[l] / 4 % FRAGMENT_PLANES];
		kinds |= (x->step.executed >> l & 1) << p->kind;
		v.lane[l] = how == INTERP_FLAT ? p->base : sample(p, f32_value(px->lane[l]), f32_value(py->lane[l]));
	}
	if (kinds >> PLANE_ABSENT & 1 && stream && stream->planes)
		exec_notice(x, NOTICE_PLANE_ABSENT);
	if (kinds >> PLANE_W_UNUSED & 1)
		exec_notice(x, NOTICE_PLANE_W);
	for (int l = 0; scaled && l < LANES; l++)
		v.lane[l] = f32_mul(v.lane[l], by->lane[l] ^ flip, false, &cc);
	write_row(x, in, &v);
	return STEP_OK;
}

/* Killed fragments give no results. They go on for the others of their quad, or end (--discard). */
EXEC(discard)
{
	x->warp->helper |= x->guard;
	if (!x->guard || x->rules->discard == DISCARD_DEMOTE)
		return STEP_OK;
	return x->program->flow->exit(x, x->guard);
}

/* o[] is a lane's next vertex, and 0 after it. Vertices beyond the limit are counted alone. */
static void emit_vertex(struct exec *x, const struct stream *stream, struct stage *s, int lane)
{
	uint32_t thread = s->first_thread + (uint32_t)lane, n = s->emitted.lane[lane];
	size_t at = (size_t)thread * stream->emit_most + n;

	if (n >= stream->emit_most && x->trace)
		x->trace->refused = "vertices beyond the limit are dropped, or not, where the launch is stopped";
	for (uint32_t i = 0; n < stream->emit_most && i < stream->out_words; i++)
		stream->out[at * stream->out_words + i] =
			i < s->outputs ? s->words[s->inputs + i].lane[lane] : 0;
	if (n < stream->emit_most)
		stream->ends[at] = 0;
	stream->emitted[thread] = s->emitted.lane[lane] = n + 1;
}

/* Lanes lent by quadon without a thread of the launch emit nothing: the stream has no vertices for such lanes. */
EXEC(emit)
{
	const struct stream *stream = x->program->stream;
	struct stage *s = tesla_state(x->warp)->stage;

	FOR_SET_LANES(l, x->step.executed & x->warp->launched) {
		if (stream && stream->emit_most)
			emit_vertex(x, stream, s, l);
		for (unsigned i = 0; i < s->outputs; i++)
			s->words[s->inputs + i].lane[l] = 0;
	}
	x->progress++;
	return STEP_OK;
}

EXEC(restart)
{
	const struct stream *stream = x->program->stream;
	const struct stage *s = tesla_state(x->warp)->stage;

	FOR_SET_LANES(l, stream && stream->emit_most ? x->step.executed & x->warp->launched : 0) {
		uint32_t n = s->emitted.lane[l];
		if (n && n <= stream->emit_most)
			stream->ends[(size_t)(s->first_thread + (uint32_t)l) * stream->emit_most + n - 1] = 1;
	}
	return STEP_OK;
}
