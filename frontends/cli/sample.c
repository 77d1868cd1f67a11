/* Events come by cycle, so a row is complete as soon as an event of a later interval comes; intervals without events
 * have rows, too. Rows go to memory until the end: a launch that begins anew sends a chunk without bytes, and the rows
 * before it are dropped. */
#include "frontends/cli/sample.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/cli.h"

/* Reasons that a resident warp can wait for begin here, and end before the empty slot. */
enum { FIRST_REASON = 1 };

/* Rows are kept until the end, as the launch may begin again. */
static void begin(struct sample *s)
{
	*s = (struct sample){.out = s->out, .every = s->every};
	s->f = open_memstream(&s->text, &s->size);
	if (!s->f)
		abort();
	fputs("cycle,instructions,thread_instructions,ipc,lanes_mean,branch,divergent_branch,join_arrivals,warps,"
	      "blocks", s->f);
	for (unsigned i = FIRST_REASON; i + 1 < wb_stalls(); i++)
		fprintf(s->f, ",%s", wb_stall_name(i));
	fputc('\n', s->f);
}

void sample_begin(struct sample *s, FILE *f, uint64_t every)
{
	*s = (struct sample){.out = f, .every = every};
	begin(s);
}

static void row(struct sample *s)
{
	uint64_t useful = s->issues - s->rejoins;
	fprintf(s->f, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.4f,%.3f", s->start, s->issues, s->threads,
		(double)s->issues / (double)s->every, useful ? (double)s->threads / (double)useful : 0);
	const uint64_t counts[] = {s->branches, s->diverged, s->rejoins, s->warps, s->blocks};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		fprintf(s->f, ",%" PRIu64, counts[i]);
	for (unsigned i = FIRST_REASON; i + 1 < wb_stalls(); i++)
		fprintf(s->f, ",%" PRIu64, s->waited[i]);
	fputc('\n', s->f);
	s->start += s->every;
	s->issues = s->threads = s->branches = s->diverged = s->rejoins = 0;
	memset(s->waited, 0, sizeof s->waited);
}

static void count(struct sample *s, const struct wb_event *e)
{
	switch (e->kind) {
	case WB_EVENT_ISSUE:
		s->issues++;
		s->threads += e->flow & WB_FLOW_REJOIN ? 0 : (uint64_t)__builtin_popcountll(e->executed);
		s->branches += (e->flow & WB_FLOW_BRANCH) != 0;
		s->diverged += (e->flow & WB_FLOW_DIVERGED) != 0;
		s->rejoins += (e->flow & WB_FLOW_REJOIN) != 0;
		s->waited[e->reason < WB_STALLS ? e->reason : 0] += e->waited;
		break;
	case WB_EVENT_BLOCK_START:
		s->blocks++;
		s->warps += (uint64_t)__builtin_popcountll(e->warps);
		break;
	case WB_EVENT_BLOCK_END:
		s->blocks--;
		break;
	case WB_EVENT_WARP_END:
		s->warps--;
		break;
	default:
		break;
	}
}

void sample_chunk(struct sample *s, const struct wb_chunk *c)
{
	struct wb_events *r = wb_events_open(c->bytes, c->size);
	struct wb_event e;
	if (!c->bytes) {
		text_close(s->f, &s->text);
		free(s->text);
		begin(s);
	}
	while (r && wb_events_next(r, &e, NULL)) {
		while (e.cycle >= s->start + s->every)
			row(s);
		count(s, &e);
	}
	wb_events_close(r);
}

void sample_end(struct sample *s)
{
	row(s);
	text_close(s->f, &s->text);
	fwrite(s->text, 1, s->size, s->out);
	free(s->text);
}
