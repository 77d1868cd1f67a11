/* picasso: the lines of all files in order, then procedures, entry points, descriptors and words. */
#include "core/isa/pica/picasso.h"

#include <string.h>

#include "core/base/text.h"
#include "core/isa/pica/picasso_impl.h"

static const struct spelling spelling = { .comments = ";", .name_signs = "_$" };

/* ---- lines ---- */

static bool add_label(struct picasso *p, const struct line *line, const struct token *t)
{
	struct label *l;

	HASH_FIND(hh, p->unit->labels, t->text, (unsigned)t->length, l);
	if (l)
		return line_error(line, t, p->d, "there is a label `%.*s` already", t->length, t->text);
	l = ARENA_NEW(p->arena, struct label);
	char *name = token_copy(p->arena, p->d, t);
	if (!l || !name)
		return picasso_no_memory(p);
	l->name = name;
	l->word = p->nwords;
	HASH_ADD_KEYPTR(hh, p->unit->labels, l->name, (unsigned)t->length, l);
	return l->hh.tbl || picasso_no_memory(p);
}

/* # LINE "FILE": a preprocessor's word that the next line is that one. */
static bool read_marker(struct picasso *p, struct line *line)
{
	const struct token *number = line->cursor, *name = number + 1;

	if (number->kind != TOKEN_NUMBER || number->real)
		return line_expected(line, number, p->d, "a line's number after `#`, as preprocessors write; comments "
				     "begin with `;`");
	if (name->kind == TOKEN_STRING) {
		const struct token inner = { .text = name->text + 1, .length = name->length - 2 };
		line->file = token_copy(p->arena, p->d, &inner);
	}
	line->number = token_int(number) - 1;
	return line->file || name->kind != TOKEN_STRING;
}

static bool read_line(struct picasso *p, struct line *line)
{
	if (line_take(line, '#'))
		return read_marker(p, line);
	while (line->cursor->kind == TOKEN_NAME && token_is(line->cursor + 1, ':')) {
		if (!add_label(p, line, line->cursor))
			return false;
		line->cursor += 2;
	}
	if (line->cursor->kind == TOKEN_END)
		return true;
	if (line_take(line, '.'))
		return read_directive(p, line);
	if (line->cursor->kind != TOKEN_NAME)
		return line_expected(line, line->cursor, p->d, "an instruction, a label or a directive");
	return read_instruction(p, line);
}

/* ---- a file ---- */

static bool resolve_labels(struct picasso *p, uint32_t begin)
{
	for (uint32_t i = begin; i < p->nwords; i++) {
		struct pending *w = &p->word[i];
		struct label *l;
		if (!w->target.name)
			continue;
		HASH_FIND_STR(p->unit->labels, w->target.name, l);
		if (!l)
			return diag_place(p->d, w->target.position, "there is no label `%s` in this file",
					  w->target.name);
		set_target(&w->insn, l->word);
	}
	return true;
}

static bool read_file(struct picasso *p, const struct picasso_source *source)
{
	const char *text = source->text, *end = text + source->size;
	struct line line = { .spelling = &spelling, .file = source->file };
	uint32_t begin = p->nwords;

	for (int i = 0; i < 3; i++)
		p->pool[i].end = p->pool[i].top;
	HASH_CLEAR(hh, p->aliases);
	p->unit->entry_position = (struct text_place){ source->file, 1, 1 };
	while (text < end) {
		line.number++;
		if (!line_scan(&line, &text, end, p->d) || !read_line(p, &line))
			return false;
	}
	if (p->nblocks)
		return diag_place(p->d, p->block[p->nblocks - 1].position, "this block is never closed: .end is "
				  "missing");
	return resolve_labels(p, begin);
}

/* ---- the program ---- */

static bool resolve_calls(struct picasso *p)
{
	for (uint32_t i = 0; i < p->nwords; i++) {
		struct pending *w = &p->word[i];
		struct procedure *f;
		if (!w->until.name)
			continue;
		HASH_FIND_STR(p->procedures, w->until.name, f);
		if (!f)
			return diag_place(p->d, w->until.position, "there is no procedure `%s`: .proc %s … .end makes "
					  "one", w->until.name, w->until.name);
		if (f->length > 0xff)
			return diag_place(p->d, w->position, "`%s` has %u instructions, a call covers at most 255",
					  f->name, f->length);
		set_target(&w->insn, f->word);
		w->insn.mod[MOD_NUM] = (uint8_t)f->length;
	}
	return true;
}

static bool find_entry(struct picasso *p, struct unit *u)
{
	const char *name = u->entry_name ? u->entry_name : "main";
	struct procedure *f;

	HASH_FIND_STR(p->procedures, name, f);
	if (!f)
		return diag_place(p->d, u->entry_position, "there is no procedure `%s` to begin at: .entry NAME says "
				  "another, .nodvle that the file has procedures alone", name);
	u->entry.main = f->word;
	u->entry.endmain = f->word + f->length;
	return true;
}

static void add_place(struct shader_entry *e, const char *name, uint32_t word, uint32_t length)
{
	uint32_t i = e->nlabels++;

	for (; i && e->label[i - 1].offset > word; i--)
		e->label[i] = e->label[i - 1];
	e->label[i] = (struct shader_label){ .name = name, .offset = word, .size = length };
}

/* Procedures of all files and labels of one, by their place. */
static bool list_places(struct picasso *p, struct unit *u)
{
	struct shader_entry *e = &u->entry;

	e->label = ARENA_ARRAY(p->arena, struct shader_label, HASH_COUNT(p->procedures) + HASH_COUNT(u->labels) + 1);
	if (!e->label)
		return picasso_no_memory(p);
	for (struct procedure *f = p->procedures; f; f = f->hh.next)
		add_place(e, f->name, f->word, f->length);
	for (struct label *l = u->labels; l; l = l->hh.next)
		add_place(e, l->name, l->word, 0);
	return true;
}

/* Uniforms in order of their registers. */
static void sort_uniforms(struct shader_entry *e)
{
	for (uint32_t i = 1; i < e->nuniforms; i++) {
		struct shader_uniform u = e->uniform[i];
		uint32_t k = i;
		for (; k && e->uniform[k - 1].first_register > u.first_register; k--)
			e->uniform[k] = e->uniform[k - 1];
		e->uniform[k] = u;
	}
}

static bool add_entries(struct picasso *p, struct unit *unit, unsigned n, struct shader *out)
{
	out->entry = ARENA_ARRAY(p->arena, struct shader_entry, n + 1);
	if (!out->entry)
		return picasso_no_memory(p);
	for (unsigned i = 0; i < n; i++) {
		if (unit[i].absent)
			continue;
		if (!find_entry(p, &unit[i]) || !list_places(p, &unit[i]))
			return false;
		sort_uniforms(&unit[i].entry);
		out->entry[out->nentries++] = unit[i].entry;
	}
	return out->nentries || diag_place(p->d, unit[0].entry_position, "no file of the program has an entry point: "
					   "all have .nodvle");
}

static bool assemble(struct picasso *p, const struct picasso_source *source, struct unit *unit, unsigned n,
		     const char *entry, struct shader *out)
{
	for (unsigned i = 0; i < n; i++) {
		p->unit = &unit[i];
		if (!read_file(p, &source[i]))
			return false;
	}
	if (entry)
		unit[0].entry_name = entry;
	return resolve_calls(p) && add_entries(p, unit, n, out) && finish_words(p, source[0].file, out);
}

bool picasso_assemble(struct shader *out, struct arena *a, const struct picasso_source *source, unsigned n,
		      const char *entry, struct diag *d)
{
	struct picasso work = {
		.arena = a, .d = d,
		.pool = { [SHADER_BOOL] = { 0, SHADER_BOOLS, SHADER_BOOLS, SHADER_BOOLS },
			  [SHADER_INT] = { 0, SHADER_INTS, SHADER_INTS, SHADER_INTS },
			  [SHADER_FLOAT] = { 0, SHADER_FLOATS, SHADER_FLOATS, SHADER_FLOATS } },
	};
	struct unit *unit = ARENA_ARRAY(a, struct unit, n + 1);

	*out = (struct shader){ 0 };
	if (!unit)
		return picasso_no_memory(&work);
	bool ok = assemble(&work, source, unit, n, entry, out);
	HASH_CLEAR(hh, work.aliases);
	HASH_CLEAR(hh, work.procedures);
	HASH_CLEAR(hh, work.uniforms);
	for (unsigned i = 0; i < n; i++)
		HASH_CLEAR(hh, unit[i].labels);
	return ok;
}

/* The name in a line `.file "NAME"`; NULL: another line, or no memory. */
static const char *file_named(struct arena *a, const char *line, const char *end)
{
	static const char word[] = ".file \"";
	const size_t length = sizeof word - 1;
	const char *quote;

	if ((size_t)(end - line) <= length || memcmp(line, word, length))
		return NULL;
	quote = memchr(line + length, '"', (size_t)(end - line) - length);
	return quote ? arena_text(a, line + length, (size_t)(quote - line) - length) : NULL;
}

unsigned picasso_files(struct arena *a, const char *file, const char *text, size_t n, struct picasso_source *out,
		       unsigned most)
{
	const char *end = text + n, *stop;
	unsigned files = 1;

	out[0] = (struct picasso_source){ file, text, n };
	for (const char *line = text; line < end; line = stop + 1) {
		stop = memchr(line, '\n', (size_t)(end - line));
		stop = stop ? stop : end;
		const char *name = files < most ? file_named(a, line, stop) : NULL;
		if (!name)
			continue;
		out[files - 1].size = (size_t)(line - out[files - 1].text);
		stop = stop < end ? stop : end - 1;
		out[files++] = (struct picasso_source){ name, stop + 1, (size_t)(end - stop) - 1 };
	}
	return files;
}

bool picasso_sniff(const char *text, size_t n)
{
	static const char *const words[] = {
		"proc", "fvec", "ivec", "constf", "consti", "constfa", "setf", "gsh", "nodvle", "out", NULL
	};

	return text_has_directive(text, n, words, " \t\r\n");
}
