/* isa MACHINE WORD: the instructions with one name for a reader: each form, values of its fields, meaning. Made from
 * the reference's JSON, to agree with the reference. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "frontends/cli/verbs.h"

enum { CELL = 400 };

static const char *text_of(const json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));
	return text ? text : "";
}

/* Add a field's reading without bit positions; readings unknown to the public disassembler are left out. */
static void add_reading(char *to, const char *reads)
{
	char one[CELL];
	if (strstr(reads, "(undocumented)") || strstr(reads, "(text of"))
		return;
	const char *comma = strchr(reads, ',');
	snprintf(one, sizeof one, "%.*s", (int)(comma ? (size_t)(comma - reads) : strlen(reads)), reads);
	size_t used = strlen(to), n = strlen(one);
	for (const char *p = to; (p = strstr(p, one)); p += n)
		if ((p == to || p[-1] == ' ') && (p[n] == ',' || !p[n]))
			return;
	if (used + n + 3 < CELL)
		snprintf(to + used, CELL - used, "%s%.*s", used ? ", " : "", (int)n, one);
}

static void readings(const json_t *kinds, const char *field, char to[CELL])
{
	const json_t *k;
	size_t i;
	*to = '\0';
	json_array_foreach(kinds, i, k)
		if (!strcmp(text_of(k, "kind"), field))
			add_reading(to, text_of(k, "reads"));
}

/* Whether a list "add|sub, …" has a word. */
static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = list; (p = strstr(p, word)); p += n)
		if ((p == list || strchr("| ,", p[-1])) && (!p[n] || strchr("| ,", p[n])))
			return true;
	return false;
}

/* Whether a word is the first word of an instruction's text, or a value of the text's first field. longer: whether the
 * word lacks the last letter, as the `if` of ifc and ifu. */
static bool is_named(const json_t *kinds, const char *text, const char *word, bool longer)
{
	size_t n = strcspn(text, " ");
	char first[64], names[CELL];
	snprintf(first, sizeof first, "%.*s", (int)n, text);
	if (*first != '{')
		return longer ? n == strlen(word) + 1 && !strncmp(first, word, n - 1) : !strcmp(first, word);
	if (longer)
		return false;
	readings(kinds, first, names);
	return has_word(names, word);
}

static const json_t *row_of(const json_t *rows, const char *key, const char *value)
{
	const json_t *row;
	size_t i;
	json_array_foreach(rows, i, row)
		if (!strcmp(text_of(row, key), value))
			return row;
	return NULL;
}

static void fields(const json_t *kinds, const char *text)
{
	for (const char *p = text; (p = strchr(p, '{'));) {
		size_t n = strcspn(p, " ");
		char field[64], reads[CELL];
		snprintf(field, sizeof field, "%.*s", (int)n, p);
		field[strcspn(field, "}") + 1] = '\0';
		readings(kinds, field, reads);
		if (!*reads && strchr(field, ':')) {    /* a field read under another name */
			snprintf(field + strcspn(field, ":"), 2, "}");
			readings(kinds, field, reads);
		}
		if (*reads)
			printf("    %-10s %s\n", field, reads);
		p += n;
	}
}

static unsigned print_all(const json_t *reference, const char *word, bool longer)
{
	const json_t *kinds = json_object_get(reference, "kinds"), *row;
	unsigned n = 0;
	size_t i;
	json_array_foreach(json_object_get(reference, "instructions"), i, row) {
		const char *text = text_of(row, "text");
		if (!is_named(kinds, text, word, longer))
			continue;
		const json_t *form = row_of(json_object_get(reference, "forms"), "form", text_of(row, "form"));
		const json_t *does =
			row_of(json_object_get(reference, "operations"), "operation", text_of(row, "operation"));
		printf("%s%s\n", n++ ? "\n" : "", text);
		printf("    %s bytes; chips: %s; program types: %s; timed as %s\n", form ? text_of(form, "bytes") : "?",
		       text_of(row, "chips"), text_of(row, "program types"),
		       does ? text_of(does, "latency class") : "?");
		if (does && *text_of(does, "meaning"))
			printf("    %s\n", text_of(does, "meaning"));
		fields(kinds, text);
	}
	return n;
}

enum wb_status isa_one(const char *machine, const char *word)
{
	struct wb_text t = {NULL, 0};
	struct wb_diag d;
	json_error_t error;
	if (wb_isa_reference(machine, "json", &t, &d) != WB_OK)
		return complain_diag(&d);
	json_t *reference = json_loadb(t.data, t.size, 0, &error);
	wb_text_free(&t);
	if (!reference)
		return complain(WB_INTERNAL, "the reference is no JSON: %s", error.text);
	unsigned n = print_all(reference, word, false);
	n = n ? n : print_all(reference, word, true);
	json_decref(reference);
	return n ? WB_OK : complain(WB_USAGE, "%s has no instruction '%s'; 'warpbeam isa %s' lists them all", machine,
				    word, machine);
}
