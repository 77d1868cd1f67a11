/* bench timing: the timing model's results beside those of the literature, experiment by experiment (experiments.c). */
#include <stdlib.h>
#include <string.h>

#include "bench/laboratory/bench.h"
#include "frontends/cli/elements.h"
#include "bench/laboratory/lab.h"
#include "frontends/cli/report.h"
#include "frontends/cli/verbs.h"

const struct opt bench_options[] = {
	{"sources", 0, OPT_SWITCH, NULL, NULL, "Output", "list every number of the model with its label and source",
	 false},
	{"only", 0, OPT_VALUE, "ID[,ID]...", NULL, "Output", "these experiments alone", false},
	{"issues", 0, OPT_VALUE, "N", "1000000", "Redraw", "of 32 warps, in the record that is panned over", false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

static bool inside(const struct lab *lab, unsigned i)
{
	return lab->measured[i] >= lab->low[i] - 1e-9 && lab->measured[i] <= lab->high[i] + 1e-9;
}

static bool passes(const struct lab *lab)
{
	for (unsigned i = 0; i < lab->n; i++)
		if (!inside(lab, i))
			return false;
	return lab->n && !lab->failed;
}

/* The point furthest from what is expected stands for all. */
static unsigned worst(const struct lab *lab)
{
	unsigned w = 0;
	double most = -1;
	for (unsigned i = 0; i < lab->n; i++) {
		double off = lab->measured[i] - lab->expected[i], size = lab->expected[i] ? lab->expected[i] : 1;
		off = lab->within[i] && inside(lab, i) ? 0 : off < 0 ? -off : off;
		size = size < 0 ? -size : size;
		if (off / size > most) {
			most = off / size;
			w = i;
		}
	}
	return w;
}

/* The experiments of a chip; NULL with a message: there are none. Chips with scalar registers of a warp have a list of
 * their own. */
static const struct experiment *experiments_of(const struct cli *c, const char **chip)
{
	struct wb_chip limits = {0};
	*chip = cli_given(c, "chip") ? wb_config_get(c->config, "chip") : "g200";
	wb_chip(*chip, &limits, NULL);
	if (limits.warp_registers)
		return experiments_gcn;
	if (!strcmp(*chip, "g200") || !strcmp(*chip, "sm_13"))
		return experiments;
	complain(WB_USAGE, "bench timing: there are no experiments for %s, but for g200, tahiti, bonaire, tonga and "
		 "gfx900; --sources lists the numbers of each chip", *chip);
	return NULL;
}

static void print_line(const struct experiment *e, const struct lab *lab, bool pass)
{
	unsigned w = worst(lab);
	if (lab->failed) {
		printf("FAIL  %s %s: %s\n", e->id, e->name, lab->why);
		return;
	}
	printf("%-5s %-3s %-34s measured %g expected %g ±%s %s %s %s",
	       !pass              ? "FAIL"
	       : e->kind == INPUT ? "input"
				  : "ok",
	       e->id, e->name, lab->measured[w], lab->expected[w], e->tolerance, e->unit, e->label, e->source);
	printf(lab->n > 1 ? " (%u points, the furthest at %g)\n" : "\n", lab->n, lab->x[w]);
}

static json_t *as_json(const struct experiment *e, const struct lab *lab, bool pass)
{
	json_t *points = json_array();
	for (unsigned i = 0; i < lab->n; i++)
		json_array_append_new(points, json_pack("{s:f, s:f, s:f}", "x", lab->x[i], "measured", lab->measured[i],
							"expected", lab->expected[i]));
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:s, s:b}", "id", e->id, "name", e->name, "chip",
			 e->chip ? e->chip : lab->chip, "kind", e->kind == INPUT ? "input" : "emergent", "unit",
			 e->unit, "points", points,
			 "tolerance", e->tolerance, "label", e->label, "source", e->source, "pass", pass);
}

static bool wanted(const struct cli *c, const char *id)
{
	const char *only = cli_value(c, "only"), *p = only;
	size_t n = strlen(id);
	while (p && *p) {
		size_t len = strcspn(p, ",");
		if (len == n && !memcmp(p, id, n))
			return true;
		p += len + (p[len] == ',');
	}
	return !only;
}

static enum wb_status sources(const struct cli *c)
{
	const char *chip = cli_given(c, "chip") ? wb_config_get(c->config, "chip") : "g200";
	struct wb_timing_info t;
	for (unsigned i = 0; wb_timing(chip, i, &t) == WB_OK; i++)
		printf("%-16s %8u  %-22s %-5s %s\n", t.key, (unsigned)t.value, t.unit, t.label, t.source);
	return WB_OK;
}

/* Whether every word of --only names an experiment. */
static bool only_known(const struct cli *c, const struct experiment *all, const char *chip)
{
	const char *p = cli_value(c, "only");
	while (p && *p) {
		size_t n = strcspn(p, ",");
		const struct experiment *e = all;
		while (e->id && (strlen(e->id) != n || memcmp(p, e->id, n)))
			e++;
		if (!e->id) {
			complain(WB_USAGE, "--only: there is no experiment '%.*s'; 'warpbeam bench timing --chip %s' "
				 "lists them", (int)n, p, chip);
			return false;
		}
		p += n + (p[n] == ',');
	}
	return true;
}

static enum wb_status timing(const struct cli *c)
{
	unsigned passed = 0, failed = 0;
	const char *chip;
	const struct experiment *all = experiments_of(c, &chip);
	if (!all || !only_known(c, all, chip))
		return WB_USAGE;
	json_t *list = json_array();
	for (const struct experiment *e = all; e->id; e++) {
		struct lab lab = {.chip = e->chip ? e->chip : chip};
		if (!wanted(c, e->id))
			continue;
		e->measure(&lab);
		bool pass = passes(&lab);
		if (e->kind == EMERGENT || !pass)
			*(pass ? &passed : &failed) += 1;
		if (c->json)
			json_array_append_new(list, as_json(e, &lab, pass));
		else
			print_line(e, &lab, pass);
	}
	if (c->json)
		json_out(json_pack("{s:s, s:O, s:i, s:i}", "schema", "warpbeam.timing/1", "experiments", list, "passed",
				     (int)passed, "failed", (int)failed), NULL);
	else
		printf("%u passed, %u failed\n", passed, failed);
	json_decref(list);
	return failed ? WB_FAILED : WB_OK;
}

enum wb_status verb_bench(struct cli *c)
{
	const char *what = cli_operand(c, "timing|redraw");
	if (!what)
		return WB_USAGE;
	if (!strcmp(what, "redraw"))
		return bench_redraw(c);
	if (strcmp(what, "timing"))
		return complain(WB_USAGE, "bench: found \"%s\", expected timing or redraw", what);
	return cli_on(c, "sources") ? sources(c) : timing(c);
}
