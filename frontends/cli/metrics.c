/* Counters of a report by the names of NVIDIA's profilers: metrics.def, row by row. */
#include "frontends/cli/metrics.h"

#include <math.h>
#include <string.h>

#include "frontends/cli/report.h"

#define C(name) report_counter(r, name)
#define PER(a, b) ((b) > 0 ? (a) / (b) : 0)
#define METRIC(id, ncu_, nvprof_, counter_, value_, unit_, note_) \
	static double metric_##id(const struct wb_report *r) { return value_; }
#include "frontends/cli/metrics.def"
#undef C
#undef PER

enum profiler { NCU, NVPROF, PROFILERS };
static const char *const profilers[PROFILERS] = { "ncu", "nvprof" };

static const struct metric {
	const char *name[PROFILERS];    /* NULL: the profiler has none */
	const char *counter, *unit, *note;
	double (*value)(const struct wb_report *r);
} metrics[] = {
#define METRIC(id, ncu_, nvprof_, counter_, value_, unit_, note_) \
	{ { ncu_, nvprof_ }, counter_, unit_, note_, metric_##id },
#include "frontends/cli/metrics.def"
};
enum { METRICS = sizeof metrics / sizeof *metrics };

static enum profiler profiler_of(const char *word)
{
	int i = 0;

	while (i < PROFILERS && strcmp(word, profilers[i]))
		i++;
	return (enum profiler)i;
}

bool metrics_known(const char *word) { return profiler_of(word) != PROFILERS; }

static bool has_counter(const struct wb_report *r, const char *name)
{
	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return true;
	return false;
}

/* The row's name, if the profiler and the report have one. */
static const char *name_of(const struct metric *m, enum profiler p, const struct wb_report *r)
{
	return has_counter(r, m->counter) ? m->name[p] : NULL;
}

void report_metrics(const struct cli *c, const struct session *s)
{
	enum profiler p = profiler_of(cli_value(c, "metrics"));
	char number[32];

	report_headline(c, s->report);
	for (unsigned i = 0; i < METRICS; i++) {
		const char *name = name_of(&metrics[i], p, s->report);
		double value = metrics[i].value(s->report);
		if (!name)
			continue;
		if (value == floor(value) && *metrics[i].unit != '%')
			grouped(number, (unsigned long long)value);
		else
			snprintf(number, sizeof number, "%.2f", value);
		printf("  %-63s %-10s %15s\n", name, metrics[i].unit, number);
	}
}

json_t *metrics_json(const struct wb_report *r, const char *word)
{
	json_t *o = json_object();

	for (unsigned i = 0; i < METRICS; i++) {
		const char *name = name_of(&metrics[i], profiler_of(word), r);
		if (name)
			json_object_set_new(o, name, json_real(metrics[i].value(r)));
	}
	return o;
}

void metrics_page(void)
{
	printf("| ours | nvprof | ncu | beside |\n|---|---|---|---|\n");
	for (unsigned i = 0; i < METRICS; i++) {
		const struct metric *m = &metrics[i];
		printf("| `%s` | %s%s%s | `%s` | %s |\n", m->counter, m->name[NVPROF] ? "`" : "",
		       m->name[NVPROF] ? m->name[NVPROF] : "", m->name[NVPROF] ? "`" : "", m->name[NCU],
		       m->note ? m->note : "");
	}
}
