/* Runs on the building machine: the index of a table (core/isa/index.h) as C, on standard output. The table is TABLE,
 * which takes its index as INDEX: there is none yet. */
#include <stdio.h>

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/isa/index.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

extern const struct isa_table TABLE;
extern const struct isa_index INDEX;
const struct isa_index INDEX = { .ntoken = 0 };

static void put_string(const char *s, size_t n)
{
	putchar('"');
	for (size_t i = 0; i < n; i++)
		printf(s[i] == '"' || s[i] == '\\' ? "\\%c" : "%c", s[i]);
	putchar('"');
}

static void put_templates(const char *name, const struct isa_template *tp, unsigned n)
{
	printf("};\nstatic const struct isa_template %s[] = {\n", name);
	for (unsigned i = 0; i < n; i++)
		printf("\t{ %u, %u },\n", tp[i].first_token, tp[i].count);
}

static void put_numbers(const char *name, const uint16_t *v, unsigned n)
{
	printf("};\nstatic const uint16_t %s[] = {", name);
	for (unsigned i = 0; i < n; i++)
		printf("%s%u,", i % 16 ? " " : "\n\t", v[i]);
	printf("\n");
}

static void put_sets(const uint64_t *v, unsigned n, unsigned each)
{
	for (unsigned i = 0; i < n; i++)
		printf("%s0x%llx,", i % each ? " " : "\n\t", (unsigned long long)v[i]);
	printf("\n");
}

static void put_rows(const char *name, const struct isa_rows *v, unsigned n)
{
	printf("};\nstatic const struct isa_rows %s[] = {\n", name);
	for (unsigned i = 0; i < n; i++) {
		printf("\t{ {");
		put_sets(v[i].bits, ISA_ROWS_MAX / 64, ISA_ROWS_MAX / 64);
		printf("\t} },\n");
	}
}

static void put_steps(const struct isa_table *t, const struct isa_index *x)
{
	printf("};\nstatic const struct isa_step step[] = {\n");
	for (unsigned i = 0; i < x->nstep; i++)
		printf("\t{ %u, %u, %u, %u },\n", x->step[i].kind, x->step[i].begin, x->step[i].end, x->step[i].to);
	put_templates("row_steps", x->row_steps, t->nrow);
	printf("};\nstatic const uint64_t row_claims[] = {");
	put_sets(x->row_claims, t->nrow, 4);
	printf("};\nstatic const struct isa_choice choice[] = {\n");
	for (unsigned i = 0; i < x->nalt; i++) {
		const struct isa_choice *c = &x->choice[i];
		printf("\t{ 0x%llx, 0x%llx, 0x%llx, 0x%llx, 0x%x, 0x%x, { %u, %u }, %u, %u, %u, %u, %d, %d, %d, %u, "
		       "%u, 0x%x },\n",
		       (unsigned long long)c->mask, (unsigned long long)c->bits, (unsigned long long)c->claims,
		       (unsigned long long)c->begin, c->modes, c->features, c->steps.first_token, c->steps.count,
		       c->value, c->first_characters, c->status, c->shape, c->has_value, c->always, c->plain, c->low,
		       c->shift, c->ones);
	}
}

static void put_index(const struct isa_table *t, const struct isa_index *x)
{
	printf("/* The index of table %s, by core/isa/index_main.c. */\n#include \"core/isa/index.h\"\n\n"
	       "static const struct isa_token token[] = {\n", t->name);
	for (unsigned i = 0; i < x->ntoken; i++) {
		const struct isa_token *tok = &x->token[i];
		printf("\t{ ");
		put_string(tok->word, tok->len);
		printf(", %d, %u, %u },\n", tok->kind, tok->len, tok->to);
	}
	put_templates("form", x->form, t->nform);
	put_templates("row", x->row, t->nrow);
	put_templates("alt", x->alt, x->nalt);
	put_steps(t, x);
	put_numbers("kind_alt", x->kind_alt, t->nkind);
	printf("};\nstatic const struct isa_omission omit[] = {\n");
	for (unsigned i = 0; i < t->nkind; i++)
		printf("\t{ 0x%llx, 0x%llx, 0x%llx },\n", (unsigned long long)x->omit[i].begin,
		       (unsigned long long)x->omit[i].mask, (unsigned long long)x->omit[i].bits);
	printf("};\nstatic const struct isa_node node[] = {\n");
	for (unsigned i = 0; i < x->nnode; i++)
		printf("\t{ %u, %u, %u },\n", x->node[i].low, x->node[i].ones, x->node[i].next);
	put_numbers("leaf", x->leaf, x->nleaf);
	printf("};\nstatic const char *const word[] = {\n");
	for (unsigned i = 0; i < x->nword; i++)
		printf("\t\"%s\",\n", x->word[i]);
	put_numbers("slot", x->slot, ISA_SLOTS);
	printf("};\nstatic const struct isa_words needs[] = {\n");
	for (unsigned i = 0; i < t->nrow; i++) {
		printf("\t{ {");
		put_sets(x->needs[i].bits, ISA_WORDS_MAX / 64, ISA_WORDS_MAX / 64);
		printf("\t} },\n");
	}
	put_rows("begins", x->begins, x->nword + 1);
	put_rows("has", x->has, x->nword);
	printf("};\n\nextern const struct isa_index " TEXT(INDEX) ";\nconst struct isa_index " TEXT(
		       INDEX) " = {\n"
			      "\t.ntoken = %u, .nstep = %u, .nalt = %u, .nnode = %u, .nleaf = %u, .nword = %u,\n"
			      "\t.token = token, .form = form, .row = row, .alt = alt,\n"
			      "\t.step = step, .row_steps = row_steps, .row_claims = row_claims, .choice = choice, "
			      ".kind_alt = kind_alt, .omit = omit, .node = node, .leaf = leaf, .word = word,\n"
			      "\t.slot = slot, .needs = needs, .begins = begins, .has = has, .marks = 0x%llx,\n};\n",
	       x->ntoken, x->nstep, x->nalt, x->nnode, x->nleaf, x->nword, (unsigned long long)x->marks);
}

int main(void)
{
	struct arena a = { 0 };
	struct isa_index x;
	struct diag d = { 0 };
	bool ok = isa_index_make(&TABLE, &a, &x, &d);

	if (ok)
		put_index(&TABLE, &x);
	else
		fprintf(stderr, "%s\n", d.text);
	arena_free(&a);
	return !ok || fflush(stdout) || ferror(stdout);
}
