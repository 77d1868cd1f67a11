/* The language of expectations. One line is one statement: words for the place, a comparison, and the values.
 *
 *     with diverge=fall -a u32=5           begins a new run under these options; the lines below are about the run
 *     exit 5                               the exit code of the run (0 unless said)
 *     result livelock                      ok fault limit deadlock livelock interrupted
 *     fault TRAP                           the fault's name
 *     arg 0 u32[0..3] = 1 2 3 4            elements of a buffer argument
 *     s[0x20] u32[0..1] = 7 8              elements of a memory space, from an address on
 *     arg 1 crc32 = 1c291ca3               all bytes of a buffer argument
 *     counter divergent_branch = 1         also != < > <= >=
 *     bill branched_off = 16
 *     branch else lost = 16                by pc or label: splits, lost
 *     pc 0x48 issues = 2                   by pc or label: issues, threads, lost, taken, not_taken, diverged
 *     vertex 3 o1 = 0.5 0.25 0 1           an output register of a shader's vertex
 *     primitives = 6                       number of primitives that a geometry shader emitted
 *     primitive 2 vertex 0 o1 = 1 0 0 1    an output register of a primitive's vertex
 *
 * A value may be repeated, 0*16, or counted up, 0..15; a single value stands for all elements. `within 1e-5` or `within
 * 0.1%` behind the values is how far numbers may be off. */
#include "frontends/cli/expect.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "frontends/cli/elements.h"
#include "frontends/cli/report.h"

enum { MAX_ELEMENTS = 4096 };

enum comparison { CMP_EQ, CMP_NE, CMP_LE, CMP_GE, CMP_LT, CMP_GT };
static const char *const comparisons[] = {"=", "!=", "<=", ">=", "<", ">", NULL};

/* An expectation while read and judged. */
struct check {
	const struct session *s;
	char subject[400]; /* left of the comparison, cut into words by strtok_r */
	char *rest;      /* the words of the place not yet taken */
	enum comparison op;
	const char *values; /* text right of the comparison, up to a `within` */
	double within;      /* allowed difference: absolute, or of the wanted value */
	bool relative;
	struct expect_verdict *verdict;
	bool compares;      /* the line has a comparison */
	const char *named;  /* name of the number in sentences; NULL: no number was found */
	const char *unit;   /* unit in sentences */
	char wanted[64];    /* expected text of the first different element; "": none */
};

static bool fail(struct check *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct check *k, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(k->verdict->why, sizeof k->verdict->why, fmt, ap);
	va_end(ap);
	return false;
}

#define WRONG(k, ...) ((k)->verdict->wrong = true, fail(k, __VA_ARGS__))

static char *word(struct check *k)
{
	return strtok_r(NULL, " \t", &k->rest);
}

static bool equal(const struct check *k, double found, double wanted)
{
	if (found == wanted || (isnan(found) && isnan(wanted)))
		return true;
	return fabs(found - wanted) <= k->within * (k->relative ? fabs(wanted) : 1);
}

static bool holds(const struct check *k, double found, double wanted)
{
	switch (k->op) {
	case CMP_EQ: return equal(k, found, wanted);
	case CMP_NE: return !equal(k, found, wanted);
	case CMP_LE: return found <= wanted;
	case CMP_GE: return found >= wanted;
	case CMP_LT: return found < wanted;
	case CMP_GT: return found > wanted;
	}
	return false;
}

/* named: for sentences; "": the words of the place. */
static bool number_is(struct check *k, const char *named, double found)
{
	char *end;
	double wanted = strtod(k->values, &end);
	if (end == k->values || end[strspn(end, " \t")])
		return WRONG(k, "expected one number after the comparison, found '%s'", k->values);
	k->named = named;
	k->verdict->found = found;
	return holds(k, found, wanted) || fail(k, "found %.15g", found);
}

/* ---- Numbers of the report ---- */

static bool check_counter(struct check *k)
{
	const char *name = word(k);
	const struct wb_report *r = k->s->report;
	for (unsigned i = 0; name && i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return number_is(k, r->counters[i].name, r->counters[i].value);
	return WRONG(k, "there is no counter '%s'", name ? name : "");
}

static bool check_bill(struct check *k)
{
	const char *name = word(k);
	const struct wb_report *r = k->s->report;
	if (name && !strcmp(name, "lane_slots"))
		return number_is(k, "lane slots", (double)r->bill.lane_slots);
	for (const struct bill_part *p = bill_parts; name && p->key; p++)
		if (!strcmp(p->key, name) && (k->unit = " lane slots"))
			return number_is(k, p->title, (double)bill_value(r, p));
	return WRONG(k, "there is no part '%s' of the bill", name ? name : "");
}

/* The listing's row of a pc or a label. */
static const struct wb_pc *row_at(struct check *k, const char *where)
{
	const struct wb_report *r = k->s->report;
	char *end;
	unsigned long pc = where ? strtoul(where, &end, 16) : 0;
	bool is_pc = where && !strncmp(where, "0x", 2) && !*end;
	for (unsigned i = 0; where && i < r->npcs; i++)
		if (is_pc ? r->pcs[i].pc == pc : r->pcs[i].label && !strcmp(r->pcs[i].label, where))
			return &r->pcs[i];
	fail(k, "there is no pc or label '%s' in the listing", where ? where : "");
	return NULL;
}

static bool check_pc(struct check *k)
{
	const struct wb_pc *p = row_at(k, word(k));
	const char *field = word(k);
	if (!p)
		return false;
	const struct {
		const char *name;
		uint64_t value;
	} fields[] = {
		{"issues", p->issues}, {"threads", p->threads},     {"lost", p->lost},
		{"taken", p->taken},   {"not_taken", p->not_taken}, {"diverged", p->diverged},
	};
	for (size_t i = 0; field && i < sizeof fields / sizeof *fields; i++)
		if (!strcmp(fields[i].name, field))
			return number_is(k, "", (double)fields[i].value);
	return WRONG(k, "a pc has issues, threads, lost, taken, not_taken and diverged, no '%s'", field ? field : "");
}

static bool check_branch(struct check *k)
{
	const struct wb_report *r = k->s->report;
	const struct wb_pc *p = row_at(k, word(k));
	const char *field = word(k);
	if (!p)
		return false;
	if (!field || (strcmp(field, "lost") && strcmp(field, "splits")))
		return WRONG(k, "a branch has splits and lost, no '%s'", field ? field : "");
	for (unsigned i = 0; i < r->nbranches; i++)
		if (r->branches[i].pc == p->pc)
			return number_is(k, "", (double)(*field == 'l' ? r->branches[i].lost : r->branches[i].splits));
	return number_is(k, "", 0);
}

/* ---- Memory ---- */

/* "4", "4*8" or "4..11" into at most `capacity` values as bit patterns; how many, 0 if the word is no value. */
static size_t read_values(const struct element_type *t, const char *text, uint64_t *out, size_t capacity)
{
	const char *range = strstr(text, ".."), *times = strchr(text, '*');
	if (range && t->kind != ELEMENT_FLOAT) {
		long long first = strtoll(text, NULL, 0), last = strtoll(range + 2, NULL, 0);
		size_t n = 0;
		for (long long v = first; v <= last && n < capacity; v++)
			out[n++] = (uint64_t)v & t->mask;
		return n;
	}
	char one[64];
	snprintf(one, sizeof one, "%.*s", times ? (int)(times - text) : (int)strlen(text), text);
	if (!element_parse(t, one, out))
		return 0;
	size_t n = times ? strtoul(times + 1, NULL, 0) : 1;
	for (size_t i = 1; i < n && i < capacity; i++)
		out[i] = out[0];
	return n < capacity ? n : capacity;
}

/* The n wanted elements; a single value stands for all. */
static bool wanted_values(struct check *k, const struct element_type *t, uint64_t *out, size_t n)
{
	char list[400], *rest = NULL;
	size_t have = 0;
	snprintf(list, sizeof list, "%s", k->values);
	for (char *w = strtok_r(list, " \t", &rest); w && have < n; w = strtok_r(NULL, " \t", &rest)) {
		size_t got = read_values(t, w, out + have, n - have);
		if (!got)
			return WRONG(k, "'%s' is no %s", w, t->name);
		have += got;
	}
	for (size_t i = have; have == 1 && i < n; i++)
		out[i] = out[0];
	return have == n || have == 1 || WRONG(k, "%zu values for %zu elements", have, n);
}

/* Reads bytes of a named place. */
typedef enum wb_status read_fn(const struct session *s, const char *place, uint64_t at, size_t offset, void *out,
			       size_t n, struct wb_diag *d);

static enum wb_status read_arg(const struct session *s, const char *place, uint64_t at, size_t offset, void *out,
			       size_t n, struct wb_diag *d)
{
	(void)place;
	return wb_launch_read_arg(s->launch, (unsigned)at, offset, out, n, d);
}

static enum wb_status read_space(const struct session *s, const char *place, uint64_t at, size_t offset, void *out,
				 size_t n, struct wb_diag *d)
{
	return wb_launch_read(s->launch, place, at + offset, out, n, d);
}

/* "u32[2..5]" or "u32". */
static bool parse_elements(struct check *k, const char *text, const struct element_type **t, size_t *first, size_t *n)
{
	char name[8];
	unsigned long a = 0, b = 0;
	int fields = text ? sscanf(text, "%7[a-z0-9][%lu..%lu]", name, &a, &b) : 0;
	*t = fields > 0 ? element_type(name) : NULL;
	if (fields < 3)
		b = a;
	if (!*t || b < a || b - a >= MAX_ELEMENTS)
		return WRONG(k, "expected a type with elements like u32[0..3], found '%s'", text ? text : "");
	*first = a;
	*n = b - a + 1;
	return true;
}

static bool check_elements(struct check *k, read_fn *read, const char *place, uint64_t at)
{
	const struct element_type *t;
	size_t first = 0, n = 0;
	uint64_t wanted[MAX_ELEMENTS];
	unsigned char bytes[MAX_ELEMENTS * sizeof *wanted];
	struct wb_diag d;
	if (!parse_elements(k, word(k), &t, &first, &n) || !wanted_values(k, t, wanted, n))
		return false;
	if (read(k->s, place, at, first * t->size, bytes, n * t->size, &d) != WB_OK)
		return fail(k, "%s", d.text);
	for (size_t i = 0; i < n; i++) {
		uint64_t found = element_load(t, bytes + i * t->size);
		bool same = found == wanted[i] ||
			    (k->within > 0 && equal(k, element_number(t, found), element_number(t, wanted[i])));
		if (same == (k->op == CMP_EQ))
			continue;
		char text[64];
		element_format(t, wanted[i], k->wanted, sizeof k->wanted);
		return fail(k, "element %zu is %s", first + i, element_format(t, found, text, sizeof text));
	}
	return true;
}

static bool check_crc(struct check *k, unsigned long index)
{
	struct wb_diag d;
	size_t n = wb_launch_arg_bytes(k->s->launch, (unsigned)index);
	unsigned char *bytes = grow(NULL, n + 1);
	bool ok = wb_launch_read_arg(k->s->launch, (unsigned)index, 0, bytes, n, &d) == WB_OK;
	unsigned long found = crc32(0, bytes, (uInt)n);
	free(bytes);
	if (!ok)
		return fail(k, "%s", d.text);
	return found == strtoul(k->values, NULL, 16) || fail(k, "found %08lx", found);
}

static bool check_arg(struct check *k)
{
	const char *number = word(k);
	char *end = NULL;
	unsigned long index = number ? strtoul(number, &end, 10) : 0;
	if (!number || *end)
		return WRONG(k, "expected the number of an argument, found '%s'", number ? number : "");
	k->rest += strspn(k->rest, " ");
	bool crc = strcspn(k->rest, " ") == 5 && !strncmp(k->rest, "crc32", 5);
	return crc ? check_crc(k, index) : check_elements(k, read_arg, NULL, index);
}

/* "s[0x20]" */
static bool check_space(struct check *k, const char *place)
{
	char space[8];
	int64_t at;
	if (sscanf(place, "%7[a-z0-9][%" SCNi64 "]", space, &at) != 2)
		return WRONG(k, "'%s' is neither a statement (exit result fault arg counter bill branch pc vertex "
				"primitives primitive) nor SPACE[ADDRESS]", place);
	return check_elements(k, read_space, space, (uint64_t)at);
}

/* ---- Shaders ---- */

/* "o1" of an output, against the numbers to the right. */
static bool check_output(struct check *k, const uint32_t *words)
{
	const char *name = word(k);
	unsigned reg;
	char end;
	if (!words)
		return fail(k, "there is none of that number");
	if (!name || sscanf(name, "o%u%c", &reg, &end) != 1 || 4 * reg >= wb_launch_out_words(k->s->launch))
		return WRONG(k, "expected an output register such as o0, found '%s'", name ? name : "");
	const char *at = k->values;
	for (unsigned i = 0; i < 4; i++) {
		char *after;
		float wanted = strtof(at, &after), found;
		memcpy(&found, &words[4 * reg + i], sizeof found);
		if (after == at)
			return WRONG(k, "expected four numbers, found '%s'", k->values);
		if (equal(k, (double)found, (double)wanted) != (k->op == CMP_EQ))
			return fail(k, "%c is %.9g", "xyzw"[i], (double)found);
		at = after;
	}
	return true;
}

/* A number below 2^31; INT32_MAX for any other text. */
static unsigned number_word(struct check *k)
{
	const char *text = word(k);
	char *end = NULL;
	unsigned long n = text ? strtoul(text, &end, 10) : INT32_MAX;
	return !text || *end || n > INT32_MAX ? INT32_MAX : (unsigned)n;
}

static bool check_vertex(struct check *k)
{
	return check_output(k, wb_launch_output(k->s->launch, number_word(k)));
}

static bool check_primitives(struct check *k)
{
	size_t n = 0;
	while (wb_launch_primitive(k->s->launch, n))
		n++;
	return number_is(k, "", (double)n);
}

static bool check_primitive(struct check *k)
{
	const struct wb_primitive *p = wb_launch_primitive(k->s->launch, number_word(k));
	const char *vertex = word(k);
	unsigned n = number_word(k);
	if (!vertex || strcmp(vertex, "vertex") || n > 2)
		return WRONG(k, "expected 'primitive N vertex 0 to 2'");
	return check_output(k, p ? p->vertices + n * wb_launch_out_words(k->s->launch) : NULL);
}

/* ---- Statements ---- */

static bool check_exit(struct check *k)
{
	int wanted = atoi(k->values);
	const struct wb_report *r = k->s->report;
	const char *what = k->s->status == WB_FAILED && r->nwarnings ? r->warnings[0] : r->result;
	return (int)k->s->status == wanted || fail(k, "found exit %d (%s)", (int)k->s->status, what);
}

static bool check_result(struct check *k)
{
	return !strcmp(k->values, k->s->report->result) || fail(k, "found %s", k->s->report->result);
}

static bool check_fault(struct check *k)
{
	if (k->s->status != WB_FAULT)
		return fail(k, "found %s", k->s->report->result);
	const struct wb_report *r = k->s->report;
	const char *what = r->nwaits ? r->waits[0] : k->s->diag.text; /* the first stopped warp says why */
	return strstr(what, k->values) || fail(k, "found %s", what);
}

/* Cut "place OP values" at the comparison. False: no comparison, all of the line is place. */
static bool split(struct check *k)
{
	for (char *p = k->subject; *p; p++) {
		if (!strchr("=!<>", *p))
			continue;
		for (size_t i = 0; comparisons[i]; i++) {
			size_t n = strlen(comparisons[i]);
			if (strncmp(p, comparisons[i], n))
				continue;
			k->op = (enum comparison)i;
			k->values = p + n + strspn(p + n, " \t");
			*p = '\0';
			return true;
		}
	}
	return false;
}

/* Take `within 1e-5` or `within 0.1%` off the end of the values. */
static bool take_within(struct check *k)
{
	char *at = strstr(k->subject + strlen(k->subject) + 1, " within "), *end; /* behind the comparison's NUL */
	if (!at)
		return true;
	k->within = strtod(at + 8, &end);
	k->relative = *end == '%';
	k->within /= k->relative ? 100 : 1;
	end += k->relative;
	if (end == at + 8 || end[strspn(end, " \t")] || !(k->within >= 0))
		return WRONG(k, "'within' takes a number or a percentage, found '%s'", at + 8);
	if (k->op != CMP_EQ && k->op != CMP_NE)
		return WRONG(k, "'within' is for = and !=");
	*at = '\0';
	return true;
}

static const struct statement {
	const char *verb;
	bool compares; /* needs a comparison; without: the value follows the word */
	bool (*check)(struct check *k);
} statements[] = {
	{"exit", false, check_exit},    {"result", false, check_result},  {"fault", false, check_fault},
	{"arg", true, check_arg},       {"counter", true, check_counter}, {"bill", true, check_bill},
	{"branch", true, check_branch}, {"pc", true, check_pc},
	{"vertex", true, check_vertex}, {"primitives", true, check_primitives}, {"primitive", true, check_primitive},
};

static bool judge(struct check *k, const char *line)
{
	snprintf(k->subject, sizeof k->subject, "%s", line);
	bool compared = k->compares = split(k);
	if (compared && !take_within(k))
		return false;
	const char *first = strtok_r(k->subject, " \t", &k->rest);
	if (!first)
		return WRONG(k, "the line is empty");
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		const struct statement *st = &statements[i];
		if (strcmp(st->verb, first))
			continue;
		if (compared != st->compares)
			return WRONG(k, st->compares ? "'%s' needs a comparison" : "'%s' takes no comparison", first);
		if (!compared)
			k->values = k->rest + strspn(k->rest, " \t");
		return st->check(k);
	}
	return compared ? check_space(k, first) : WRONG(k, "expected a statement, found '%s'", first);
}

/* "at most 5" and the like. */
static const char *const asked[] = {"", "other than ", "at most ", "at least ", "less than ", "more than "};

/* The verdict for people: the value found, and the value asked for. */
static void write_sentence(struct check *k, const char *line, bool good)
{
	struct expect_verdict *v = k->verdict;
	const char *why = good ? "as asked" : v->why;
	size_t place = strcspn(line, "=!<>");
	while (place && line[place - 1] == ' ')
		place--;
	v->number = k->named && !v->wrong;
	if (v->number && *k->named)
		snprintf(v->sentence, sizeof v->sentence, "%s: %.15g%s, asked %s%s", k->named, v->found,
			 k->unit ? k->unit : "", asked[k->op], k->values);
	else if (v->number)
		snprintf(v->sentence, sizeof v->sentence, "%.*s: %.15g, asked %s%s", (int)place, line, v->found,
			 asked[k->op], k->values);
	else if (*k->wanted)
		snprintf(v->sentence, sizeof v->sentence, "%.*s: %s, asked %s%s", (int)place, line, why, asked[k->op],
			 k->wanted);
	else if (!good && !k->compares && !v->wrong)    /* "found exit 1 (…)" */
		snprintf(v->sentence, sizeof v->sentence, "%s, asked %s", why, line);
	else
		snprintf(v->sentence, sizeof v->sentence, "%s: %s", line, why);
}

bool expect_line(const struct session *s, const char *line, struct expect_verdict *v)
{
	struct check k = {.s = s, .verdict = v};
	*v = (struct expect_verdict){.wrong = false};
	bool good = judge(&k, line);
	write_sentence(&k, line, good);
	return good;
}
