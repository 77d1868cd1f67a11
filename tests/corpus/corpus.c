/* Every call into the library goes through must(), which fails the test with the program's name and the library's
 * message. Each run also checks what holds for any program: the bill balances, and the stall reasons add up to all slot
 * cycles. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/corpus/corpus.h"
#include "tests/kit/cmocka_all.h"
#include "tests/kit/shared.h"

static const char *const policies[] = { "rr", "oldest", "gto", "two-level", "youngest", "random" };
enum { POLICIES = sizeof policies / sizeof *policies };

const char *corpus_path(const char *file)
{
	static char path[512];

	return shared_path(path, sizeof path, file);
}

static void must(struct corpus *c, enum wb_status s, const char *doing)
{
	if (s != WB_OK)
		fail_msg("%s: %s: %s", c->file, doing, c->diag.text);
}

void corpus_set(struct corpus *c, const char *options)
{
	char text[256], *save, *value;

	snprintf(text, sizeof text, "%s", options);
	for (char *o = strtok_r(text, " ", &save); o; o = strtok_r(NULL, " ", &save)) {
		value = strchr(o, '=');
		assert_non_null(value);
		*value++ = '\0';
		must(c, wb_config_set(c->config, o, value, &c->diag), o);
	}
}

void corpus_turn(struct corpus *c, unsigned turn)
{
	unsigned levels = 0;

	while (wb_simd_level(levels))
		levels++;
	must(c, wb_config_set(c->config, "simd", wb_simd_level(turn % levels), &c->diag), "simd");
	must(c, wb_config_set(c->config, "policy", policies[turn % POLICIES], &c->diag), "policy");
	must(c, wb_config_set(c->config, "threads", turn % 2 ? "3" : "1", &c->diag), "threads");
}

void corpus_open(struct corpus *c, const char *file, const char *options)
{
	char path[128];

	*c = (struct corpus){ .file = file, .config = wb_config_new() };
	assert_non_null(c->config);
	corpus_set(c, options);
	snprintf(path, sizeof path, "corpus/tesla/%s", file);
	must(c, wb_program_open(corpus_path(path), c->config, &c->program, &c->diag), "open");
}

void corpus_text(struct corpus *c, const char *name, const char *text, const char *options)
{
	*c = (struct corpus){ .file = name, .config = wb_config_new() };
	assert_non_null(c->config);
	corpus_set(c, options);
	must(c, wb_program_load(text, strlen(text), name, c->config, &c->program, &c->diag), "load");
}

const char *corpus_bytes(struct corpus *c, const void *bytes, size_t n)
{
	char *path = c->temp[c->ntemp];

	assert_in_range(c->ntemp, 0, CORPUS_FILES - 1);
	snprintf(path, sizeof c->temp[0], "%s/wb_corpus_XXXXXX", P_tmpdir);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	c->ntemp++;
	assert_int_equal(write(fd, bytes, n), n);
	close(fd);
	return path;
}

void corpus_close(struct corpus *c)
{
	wb_launch_free(c->launch);
	wb_program_free(c->program);
	wb_config_free(c->config);
	for (unsigned i = 0; i < c->ntemp; i++)
		unlink(c->temp[i]);
}

void corpus_launch(struct corpus *c)
{
	wb_launch_free(c->launch);
	c->launch = NULL;
	must(c, wb_launch_new(c->program, NULL, c->config, &c->launch, &c->diag), "launch");
}

void corpus_arg(struct corpus *c, const char *format, ...)
{
	char text[128];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	must(c, wb_launch_arg(c->launch, text, &c->diag), text);
}

/* Whatever a program does, its bill balances, and so do the reasons why its warps did not issue. */
static void balances(const struct corpus *c, const struct wb_report *r)
{
	const struct wb_bill *b = &r->bill;
	uint64_t reasons = 0;

	for (unsigned i = 0; i < wb_stalls(); i++)
		reasons += r->time.stalls[i];
	if (reasons != r->time.slot_cycles)
		fail_msg("%s: reasons sum to %llu of %llu slot cycles", c->file, (unsigned long long)reasons,
			 (unsigned long long)r->time.slot_cycles);
	if (b->useful + b->predicated + b->branched_off + b->brk + b->ret + b->exited + b->absent + b->rejoin !=
	    b->lane_slots)
		fail_msg("%s: the bill does not balance", c->file);
}

void corpus_run(struct corpus *c)
{
	c->status = wb_launch_run(c->launch, &c->diag);
	balances(c, wb_launch_report(c->launch));
}

void corpus_ended(struct corpus *c, enum wb_status want)
{
	if (c->status != want)
		fail_msg("%s: ended with %d (%s), expected %d", c->file, c->status, c->status ? c->diag.text : "ok",
			 want);
}

void corpus_faulted(struct corpus *c, const char *name, unsigned pc)
{
	const struct wb_report *r = wb_launch_report(c->launch);
	char at[32];

	corpus_ended(c, WB_FAULT);
	snprintf(at, sizeof at, "pc 0x%x,", pc);
	assert_string_equal(r->result, "fault");
	for (unsigned i = 0; i < r->nwaits; i++)
		if (strstr(r->waits[i], name) && strstr(r->waits[i], at))
			return;
	fail_msg("%s: expected %s at 0x%x, found: %s", c->file, name, pc, r->nwaits ? r->waits[0] : "no fault");
}

void corpus_words(struct corpus *c, const char *space, uint32_t addr, const uint32_t *want, unsigned n,
		  const char *what)
{
	uint32_t *got = calloc(n, sizeof *got);

	assert_non_null(got);
	must(c, wb_launch_read(c->launch, space, addr, got, n * sizeof *got, &c->diag), what);
	for (unsigned i = 0; i < n; i++)
		if (got[i] != want[i])
			fail_msg("%s: %s: %s word %u is %08x, expected %08x", c->file, what, space, i, got[i], want[i]);
	free(got);
}

void corpus_listing(struct corpus *c)
{
	struct wb_text text = { 0 };
	char *unknown;

	must(c, wb_disassemble(c->program, c->config, WB_LIST_BARE, &text, &c->diag), "disassemble");
	unknown = strstr(text.data, "???");
	if (unknown)
		fail_msg("%s: the listing has %.40s", c->file, unknown);
	wb_text_free(&text);
}
