/* nihstro: the source's lines in order, then labels, descriptors and words. */
#include "core/isa/pica/nihstro.h"

#include <string.h>

#include "core/isa/parse.h"
#include "core/isa/pica/nihstro_impl.h"

enum { MAX_INCLUDES = 16 };

static bool assemble_text(struct nihstro *n, const char *file, const char *text, size_t size);

static bool add_label(struct nihstro *n, struct line *line)
{
	const struct token *t = line->token;

	if (!name_is_free(n, line, t))
		return false;
	line->cursor = t + 2;
	if (line->cursor->kind != TOKEN_END)
		return line_error(line, line->cursor, n->d, "a label stands on a line of its own");
	struct label *l = ARENA_NEW(n->arena, struct label);
	char *name = token_copy(n->arena, n->d, t);
	if (!l || !name)
		return diag_set(n->d, DIAG_ENV, "no memory for the assembly");
	l->name = name;
	l->word = n->nwords;
	HASH_ADD_KEYPTR(hh, n->labels, l->name, (unsigned)t->length, l);
	return l->hh.tbl || diag_set(n->d, DIAG_ENV, "no memory for the assembly");
}

static bool include(struct nihstro *n, struct line *line)
{
	const struct token *t = line->cursor++;
	const struct token inner = { .text = t->text + 1, .length = t->length - 2 };
	char *name;
	const char *text;
	size_t size;

	if (t->kind != TOKEN_STRING)
		return line_expected(line, t, n->d, "a file name in quotes");
	if (!n->options->include)
		return line_error(line, t, n->d, "files cannot be included here");
	if (n->includes == MAX_INCLUDES)
		return line_error(line, t, n->d, "files are included more than %d deep", MAX_INCLUDES);
	name = token_copy(n->arena, n->d, &inner);
	if (!name || !n->options->include(n->options->context, name, line->file, n->arena, &text, &size, n->d))
		return false;
	if (!line_ends(line, n->d))
		return false;
	n->includes++;
	if (!assemble_text(n, name, text, size))
		return false;
	n->includes--;
	return true;
}

static bool directive(struct nihstro *n, struct line *line)
{
	const struct token *t = line->cursor++;

	if (token_named(t, "alias"))
		return parse_alias(n, line);
	if (token_named(t, "include"))
		return include(n, line);
	if (token_named(t, "version"))
		return true;    /* a hint for later versions of the language */
	return line_error(line, t, n->d, "unknown directive `.%.*s`: there are .alias, .include and .version",
			  t->length, t->text);
}

static bool is_raw(const struct line *line)
{
	for (const struct token *t = line->cursor; t->kind != TOKEN_END; t++)
		if (token_is(t, '@'))
			return true;
	return false;
}

/* The text from a token to the end of its line. NULL with a diagnostic: no memory. */
static char *rest_copy(struct nihstro *n, const struct token *first)
{
	const struct token *last = first;

	while (last[1].kind != TOKEN_END)
		last++;
	const struct token whole = { .text = first->text, .length = (int)(last->text - first->text) + last->length };
	return token_copy(n->arena, n->d, &whole);
}

/* A line of the instruction table's own text, as in listings. */
static bool raw_line(struct nihstro *n, const struct line *line)
{
	const struct token *first = line->cursor;
	struct isa_code code;
	struct diag why = { 0 };

	char *text = rest_copy(n, first);
	if (!text)
		return false;
	if (!isa_parse(&words_target, text, false, NULL, &code, &why)) {
		struct text_place place = { line->file, line->number, first->column + why.column - 1 };
		return diag_place(n->d, place, "%s", why.text);
	}
	if (n->nwords == SHADER_MAX_CODE)
		return line_error(line, first, n->d, "the program has more than %d instructions", SHADER_MAX_CODE);
	struct pending *p = &n->word[n->nwords++];
	*p = (struct pending){ .word = code.word, .raw = true, .position = line_place(line, first) };
	isa_decode_word(&words_target, code.word, &p->insn);
	return true;
}

static bool assemble_line(struct nihstro *n, struct line *line)
{

	if (line->cursor->kind == TOKEN_END)
		return true;
	if (line_take(line, '.'))
		return directive(n, line);
	if (line->cursor->kind != TOKEN_NAME)
		return line_expected(line, line->cursor, n->d, "an instruction, a label or a directive");
	if (token_is(line->cursor + 1, ':'))
		return add_label(n, line);
	if (is_raw(line))
		return raw_line(n, line);
	return parse_instruction(n, line);
}

/* Skip the address and the words in front of a listing's texts. */
static const char *skip_listing(const char *text, const char *end)
{
	static const char digits[] = "0123456789abcdef";
	const char *p = text;

	for (int group = 0; end - p > 9 && strspn(p, digits) == 8 && p[8] == (group ? ' ' : ':'); group++)
		for (p += 9; p < end && *p == ' '; p++)
			;
	return p - text > 9 && text[8] == ':' ? p : text;
}

static bool assemble_text(struct nihstro *n, const char *file, const char *text, size_t size)
{
	static const struct spelling spelling = { .comments = "#;", .slashes = true, .name_signs = "_" };
	struct line line = { .spelling = &spelling, .file = file };
	const char *end = text + size;

	while (text < end) {
		line.number++;
		text = skip_listing(text, end);
		if (!line_scan(&line, &text, end, n->d) || !assemble_line(n, &line))
			return false;
	}
	return true;
}

static bool find_label(struct nihstro *n, const struct label_use *use, uint32_t *at)
{
	struct label *l;

	HASH_FIND_STR(n->labels, use->name, l);
	if (!l)
		return diag_place(n->d, use->position, "there is no label `%s`", use->name);
	*at = l->word;
	return true;
}

/* Jump targets, and the lengths of called code. */
static bool resolve_labels(struct nihstro *n)
{
	for (uint32_t i = 0; i < n->nwords; i++) {
		struct pending *p = &n->word[i];
		uint32_t at, until;
		if (!p->target.name)
			continue;
		if (!find_label(n, &p->target, &at))
			return false;
		set_target(&p->insn, at);
		if (!p->until.name)
			continue;
		if (!find_label(n, &p->until, &until))
			return false;
		if (until <= at)
			return diag_place(n->d, p->until.position, "`%s` does not stand behind `%s`", p->until.name,
					  p->target.name);
		if (until - at > 0xff)
			return diag_place(n->d, p->position, "the call covers %u instructions, at most 255 fit",
					  until - at);
		p->insn.mod[MOD_NUM] = (uint8_t)(until - at);
	}
	return true;
}

/* The label table in order of appearance in the file. */
static bool list_labels(struct nihstro *n)
{
	struct shader_entry *e = &n->entry;

	e->label = ARENA_ARRAY(n->arena, struct shader_label, HASH_COUNT(n->labels) + 1);
	if (!e->label)
		return diag_set(n->d, DIAG_ENV, "no memory for the assembly");
	for (struct label *l = n->labels; l; l = l->hh.next)
		e->label[e->nlabels++] = (struct shader_label){ .name = l->name, .offset = l->word };
	return true;
}

static bool find_entry(struct nihstro *n)
{
	const char *name = n->options->entry ? n->options->entry : "main";
	struct label *l;

	HASH_FIND_STR(n->labels, name, l);
	if (l)
		n->entry.main = l->word;
	else if (n->options->entry)
		return diag_set(n->d, DIAG_INPUT, "there is no label `%s` to begin at", name) ||
		       diag_in_file(n->d, n->options->file);
	return true;
}

static bool check_scopes(struct nihstro *n)
{
	if (!n->nscopes)
		return true;
	const struct scope *s = &n->scope[n->nscopes - 1];
	return diag_place(n->d, s->position, "this %s is never closed: %s is missing", s->loop ? "loop" : "if",
			  s->loop ? "endloop" : "endif");
}

static bool assemble(struct nihstro *n, struct shader *out, const char *text, size_t size)
{
	n->word = ARENA_ARRAY(n->arena, struct pending, SHADER_MAX_CODE);
	n->entry.geometry = n->options->geometry;
	if (!n->word)
		return diag_set(n->d, DIAG_ENV, "no memory for the assembly");
	if (!assemble_text(n, n->options->file, text, size) || !check_scopes(n) || !resolve_labels(n) ||
	    !list_labels(n) || !find_entry(n) || !finish_program(n, out))
		return false;
	out->nentries = 1;
	out->entry = arena_memdup(n->arena, &n->entry, sizeof n->entry);
	return out->entry || diag_set(n->d, DIAG_ENV, "no memory for the assembly");
}

bool nihstro_assemble(struct shader *out, struct arena *a, const char *text, size_t n, const struct nihstro_options *o,
		      struct diag *d)
{
	struct nihstro work = { .options = o, .arena = a, .d = d };
	bool ok;

	*out = (struct shader){ 0 };
	ok = assemble(&work, out, text, n);
	HASH_CLEAR(hh, work.symbols);
	HASH_CLEAR(hh, work.labels);
	return ok;
}
