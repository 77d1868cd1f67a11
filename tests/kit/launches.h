/* For tests that run a launch in several ways: make the launch, and print its whole outcome as text. */
#ifndef WB_TESTS_UNIT_LAUNCHES_H
#define WB_TESTS_UNIT_LAUNCHES_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kit/cmocka_all.h"
#include "tests/kit/sample.h"

#include "warpbeam.h"

#define HEAD ".kernel k\n.chip g200\n"

struct setting { const char *option, *value; };   /* ended by NULL */

static inline struct wb_program *load(const char *text)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_diag d = { 0 };

	assert_int_equal(wb_config_set(c, "format", "asm", &d), WB_OK);
	if (wb_program_load(text, strlen(text), "test", c, &p, &d) != WB_OK)
		fail_msg("line %d: %s", d.line, d.text);
	wb_config_free(c);
	return p;
}

/* NULL with a diagnostic where the text is refused. */
static inline struct wb_program *load_ptx(const char *text, const char *chip, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;

	if (chip)
		assert_int_equal(wb_config_set(c, "chip", chip, d), WB_OK);
	if (wb_program_load(text, strlen(text), "test.ptx", c, &p, d) != WB_OK)
		p = NULL;
	wb_config_free(c);
	return p;
}

/* A text cubin of `*out = step`, with the constant's name. */
static inline struct wb_program *load_constant(void)
{
	static const char *const lines[] = {
		"mov b32 $r2 0x0", "add b32 $r2 $r2 c0[0x4]", "mov b32 $r1 b32 s[0x10]", "exit st b32 g14[$r1] $r2",
	};
	struct wb_program *p;
	char text[1024];
	size_t used = (size_t)snprintf(text, sizeof text, "architecture {sm_13}\nabiversion {1}\nmodname {cubin}\n"
				       "consts { name = step segname = const segnum = 0 offset = 4 bytes = 4 "
				       "mem { 0x5 } }\n"
				       "code { name = k lmem = 0 smem = 20 reg = 4 bar = 0 bincode {");

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		uint32_t words[4];
		unsigned n;
		assert_int_equal(wb_asm_line(NULL, lines[i], words, &n, NULL), WB_OK);
		for (unsigned k = 0; k < n; k++)
			used += (size_t)snprintf(text + used, sizeof text - used, " 0x%08x", words[k]);
	}
	snprintf(text + used, sizeof text - used, " } }\n");
	assert_int_equal(wb_program_load(text, strlen(text), "test.cubin", NULL, &p, NULL), WB_OK);
	return p;
}

static inline struct wb_launch *launch(const struct wb_program *p, const struct setting *s)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	struct wb_diag d = { 0 };

	for (; s->option; s++)
		if (wb_config_set(c, s->option, s->value, &d) != WB_OK)
			fail_msg("%s", d.text);
	if (wb_launch_new(p, NULL, c, &l, &d) != WB_OK)
		fail_msg("%s", d.text);
	wb_config_free(c);
	return l;
}

/* Everything that a launch leaves behind, as text. */
static inline char *outcome(struct wb_launch *l, enum wb_status status, const struct wb_diag *d)
{
	const struct wb_report *r = wb_launch_report(l);
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, "%d %s %s %s\n", status, d->text, r->result, r->digest);
	for (unsigned i = 0; i < r->ncounters; i++)
		fprintf(f, "%s %.17g\n", r->counters[i].name, r->counters[i].value);
	for (size_t i = 0; i < sizeof r->bill / 8; i++)
		fprintf(f, "bill %" PRIu64 "\n", ((const uint64_t *)&r->bill)[i]);
	for (unsigned i = 0; i < wb_stalls(); i++)
		fprintf(f, "%s %" PRIu64 "\n", wb_stall_name(i), r->time.stalls[i]);
	fprintf(f, "%.17g %.17g\n", r->time.path_busy, r->time.warps_mean);
	for (unsigned i = 0; i < r->npcs; i++) {
		const struct wb_pc *p = &r->pcs[i];
		fprintf(f, "pc %x: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, p->pc,
			p->issues, p->threads, p->lost, p->taken, p->not_taken, p->diverged);
		for (unsigned k = 0; k < wb_stalls(); k++)
			fprintf(f, " %" PRIu64, p->stalls[k]);
		fputc('\n', f);
	}
	for (unsigned i = 0; i < r->nwarps; i++) {
		const struct wb_warp_report *w = &r->warps[i];
		fprintf(f, "warp %u %u: %" PRIu64 " %" PRIu64, w->block, w->warp, w->issues, w->cycles);
		for (unsigned k = 0; k < wb_stalls(); k++)
			fprintf(f, " %" PRIu64, w->stalls[k]);
		fputc('\n', f);
	}
	for (unsigned i = 0; i < r->nwaits; i++)
		fprintf(f, "%s\n", r->waits[i]);
	for (unsigned i = 0; i < r->nwarnings; i++)
		fprintf(f, "%s\n", r->warnings[i]);
	for (unsigned i = 0; i < 4; i++) {
		size_t n = wb_launch_arg_bytes(l, i);
		uint8_t *bytes = calloc(n + 1, 1);
		if (n && wb_launch_read_arg(l, i, 0, bytes, n, NULL) == WB_OK)
			for (size_t k = 0; k < n; k++)
				fprintf(f, "%02x", bytes[k]);
		free(bytes);
	}
	fclose(f);
	return text;
}

#endif
