/* Vectors of whole programs, one warp each, with the result in the first bytes of g0[]. A result must not depend on the
 * order of diverged lanes: unless the command line fixes a rule, each program runs under every choice of the rule. */
#include "bench/laboratory/vectors.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { RULES = 3, MAX_CHOICES = 8, MAX_RESULT = 256, CODE = 1 << 16 };
static const char *const rule_names[RULES] = {"diverge", "join", "reconverge"};

/* The choices of each rule to go through. A rule unknown to the build has one choice, "". */
struct rules {
	char values[RULES][MAX_CHOICES][16];
	unsigned n[RULES];
};

static const struct wb_option_info *find_option(const char *name)
{
	const struct wb_option_info *o;
	for (unsigned i = 0; (o = wb_option(i)); i++)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}

static void gather_rules(const struct cli *c, struct rules *r)
{
	for (int i = 0; i < RULES; i++) {
		const struct wb_option_info *o = find_option(rule_names[i]);
		const char *choices = cli_given(c, rule_names[i]) ? cli_value(c, rule_names[i]) : o ? o->argument : "";
		r->n[i] = 0;
		do {
			size_t length = strcspn(choices, "|");
			snprintf(r->values[i][r->n[i]++], sizeof r->values[i][0], "%.*s", (int)length, choices);
			choices += length;
		} while (*choices++ && r->n[i] < MAX_CHOICES);
	}
}

struct control {
	const char *name, *expected; /* hex digits of g0[] */
	uint32_t code[CODE / 4];
	size_t words;
	json_int_t issues, depth; /* of the default rules; 0 if the file does not say */
};

static bool read_control(const json_t *entry, struct control *p)
{
	const json_t *words = json_object_get(entry, "words"), *word;
	size_t i;
	p->name = json_string_value(json_object_get(entry, "name"));
	p->expected = json_string_value(json_object_get(entry, "g0"));
	p->issues = json_integer_value(json_object_get(entry, "issues"));
	p->depth = json_integer_value(json_object_get(entry, "depth"));
	p->words = json_array_size(words);
	if (!p->name || !p->expected || !p->words || p->words > CODE / 4 || strlen(p->expected) > 2 * MAX_RESULT)
		return false;
	json_array_foreach(words, i, word) p->code[i] =
		(uint32_t)strtoul(json_is_string(word) ? json_string_value(word) : "0", NULL, 16);
	return true;
}

/* Do the bytes equal the hex digits? If not, *why has the first difference. */
static bool same_bytes(const unsigned char *found, const char *digits, char *why, size_t size)
{
	for (size_t i = 0; digits[2 * i] && digits[2 * i + 1]; i++) {
		char pair[3] = {digits[2 * i], digits[2 * i + 1], '\0'};
		if (found[i] == strtoul(pair, NULL, 16))
			continue;
		size_t lane = i / 4;
		uint32_t word;
		memcpy(&word, found + 4 * lane, 4);
		snprintf(why, size, "lane %zu: expected %.8s (bytes in memory order), got %02x%02x%02x%02x", lane,
			 digits + 8 * lane, found[4 * lane], found[4 * lane + 1], found[4 * lane + 2],
			 found[4 * lane + 3]);
		return false;
	}
	return true;
}

/* Compare a counter of the report with the file's; 0 in the file is no statement. */
static bool same_counter(const struct wb_report *r, const char *name, json_int_t expected, char *why, size_t size)
{
	for (unsigned i = 0; i < r->ncounters && expected; i++) {
		const struct wb_counter *k = &r->counters[i];
		if (strcmp(k->name, name) != 0 || k->value == (double)expected)
			continue;
		snprintf(why, size, "%s: expected %" JSON_INTEGER_FORMAT ", got %.0f", name, expected, k->value);
		return false;
	}
	return true;
}

static bool run_once(const struct control *p, const struct wb_config *config, bool defaults, char *why, size_t size)
{
	struct wb_program *program = NULL;
	struct wb_launch *launch = NULL;
	struct wb_diag d = {0};
	unsigned char found[MAX_RESULT];
	bool good = wb_program_load(p->code, 4 * p->words, p->name, config, &program, &d) == WB_OK &&
		    wb_launch_new(program, NULL, config, &launch, &d) == WB_OK && wb_launch_run(launch, &d) == WB_OK &&
		    wb_launch_read(launch, "g0", 0, found, strlen(p->expected) / 2, &d) == WB_OK;
	if (!good)
		snprintf(why, size, "%s", d.text);
	else
		good = same_bytes(found, p->expected, why, size);
	if (good && defaults)
		good = same_counter(wb_launch_report(launch), "instructions", p->issues, why, size) &&
		       same_counter(wb_launch_report(launch), "stack_depth", p->depth, why, size);
	wb_launch_free(launch);
	wb_program_free(program);
	return good;
}

/* Every combination of the rules' choices. The first combination is the default, with known issues too. */
static bool run_all(struct wb_config *config, const struct rules *r, const struct control *p, char *why, size_t size)
{
	unsigned all = r->n[0] * r->n[1] * r->n[2];
	for (unsigned i = 0; i < all; i++) {
		const unsigned pick[RULES] = {i % r->n[0], i / r->n[0] % r->n[1], i / r->n[0] / r->n[1]};
		bool defaults = true;
		char found[sizeof((struct wb_diag *)0)->text];
		struct wb_diag d;
		for (int k = 0; k < RULES; k++) {
			const char *value = r->values[k][pick[k]];
			if (!*value)
				continue;
			defaults &= !strcmp(value, find_option(rule_names[k])->fallback);
			if (wb_config_set(config, rule_names[k], value, &d) != WB_OK) {
				snprintf(why, size, "%s", d.text);
				return false;
			}
		}
		if (run_once(p, config, defaults, found, sizeof found))
			continue;
		snprintf(why, size, "under --%s %s --%s %s --%s %s: %s", rule_names[0], r->values[0][pick[0]],
			 rule_names[1], r->values[1][pick[1]], rule_names[2], r->values[2][pick[2]], found);
		return false;
	}
	return true;
}

static struct wb_config *control_config(const struct cli *c)
{
	static const char *const settings[][2] = {
		{"format", "raw"},        {"timing", "off"},         {"block", "32"},
		{"global", "0:zero=256"}, {"max-insns", "10000000"},
	};
	struct wb_config *config = wb_config_copy(c->config);
	struct wb_diag d;
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (!cli_given(c, settings[i][0]))
			wb_config_set(config, settings[i][0], settings[i][1], &d);
	return config;
}

static bool recognise(const char *text, size_t n)
{
	(void)n;
	return *text == '{' && strstr(text, "\"programs\"") && strstr(text, "\"words\"") && strstr(text, "\"g0\"");
}

static enum wb_status run(struct tally *t, char *text, size_t n)
{
	json_error_t error;
	json_t *document = json_loadb(text, n, 0, &error);
	const json_t *programs = json_object_get(document, "programs"), *entry;
	struct control *p = grow(NULL, sizeof *p);
	struct wb_config *config = control_config(t->cli);
	struct rules rules;
	enum wb_status status = WB_OK;
	size_t i;
	if (!document)
		status = complain(WB_INPUT, "%s:%d:%d: %s", t->path, error.line, error.column, error.text);
	gather_rules(t->cli, &rules);
	json_array_foreach(programs, i, entry)
	{
		char why[600];
		if (!read_control(entry, p)) {
			status = complain(WB_INPUT, "%s: program %zu: expected \"name\", \"words\" and \"g0\"", t->path,
					  i);
			break;
		}
		if (run_all(config, &rules, p, why, sizeof why))
			tally_pass(t, GATED);
		else
			tally_mismatch(t, GATED, 0, "program %zu (%s): %s", i, p->name, why);
		vectors_progress(t, "programs", i + 1, json_array_size(programs));
	}
	wb_config_free(config);
	free(p);
	json_decref(document);
	return status;
}

const struct vectors_format vectors_control = {"control programs", recognise, run};
