/* CLRX: the statements that count. Files, macros' bodies and repetitions lie in each other as a stack of sources; a
 * source hands out statements, with its parameters replaced, and begins again while it has repetitions left. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/isa/gcn/clrx_impl.h"
#include "core/isa.h"

enum source_kind { SOURCE_FILE, SOURCE_MACRO, SOURCE_REPEAT };

/* A parameter of a macro, or the variable of .irp. */
struct parameter {
	const char *name, *value;
	bool required, rest;
	struct parameter *next;
};

struct clrx_macro {
	char *name;                             /* in small letters */
	struct parameter *parameters;
	struct clrx_statements body;
	UT_hash_handle hh;
};

struct clrx_source {
	enum source_kind kind;
	struct clrx_statements body;
	size_t position;
	struct parameter *parameters;
	uint64_t number;                        /* of the expansion: \@ */
	unsigned conditions;                    /* open ones at the beginning */
	struct text_place call;
	/* Repetitions: a count, the texts for the variable, or expressions for .while and .for. */
	uint64_t repetitions;
	const char *const *values;
	const char *condition, *following, *variable;
	struct clrx_source *outer;
};

/* ---- replacing parameters ---- */

struct builder {
	struct clrx *c;
	char *text;
	size_t length, capacity;
};

static bool add(struct builder *b, const char *text, size_t n)
{
	if (b->length + n + 1 > b->capacity) {
		size_t more = 2 * (b->length + n) + 64;
		char *bigger = arena_space(&b->c->arena, more, 1);
		if (!bigger)
			return clrx_no_memory(b->c);
		if (b->length)
			memcpy(bigger, b->text, b->length);
		b->text = bigger;
		b->capacity = more;
	}
	if (n)
		memcpy(b->text + b->length, text, n);
	b->length += n;
	b->text[b->length] = '\0';
	b->c->flow.letters += n;
	return b->c->flow.letters <= CLRX_LETTERS ||
	       clrx_error(b->c, NULL, "macros and repetitions have made more than %d letters of text", CLRX_LETTERS);
}

static const struct parameter *parameter_named(const struct clrx_source *s, const char *name, size_t n)
{
	for (const struct parameter *p = s->parameters; p; p = p->next)
		if (strlen(p->name) == n && !memcmp(p->name, name, n))
			return p;
	return NULL;
}

/* A name without points: "x.y" is x and ".y". */
static size_t plain_name(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return isdigit((unsigned char)*p) ? 0 : n;
}

/* The parameter whose name begins at p, the longest name, and its letters; NULL: none. */
static const struct parameter *find_parameter(const struct clrx_source *s, const char *p, size_t *n)
{
	const struct parameter *found = NULL;

	*n = clrx_name_length(p);
	found = *n ? parameter_named(s, p, *n) : NULL;
	if (found)
		return found;
	*n = plain_name(p);
	return *n ? parameter_named(s, p, *n) : NULL;
}

/* What stands for the backslash at p; *p moves behind. */
static bool add_replaced(struct builder *b, const struct clrx_source *s, const char **p)
{
	const char *q = *p + 1;
	size_t n;
	const struct parameter *found = find_parameter(s, q, &n);
	char number[24];

	if (found) {
		*p = q + n;
		return add(b, found->value, strlen(found->value));
	}
	if (q[0] == '(' && q[1] == ')') {
		*p = q + 2;
		return true;
	}
	if (*q == '@' && s->kind == SOURCE_MACRO) {
		snprintf(number, sizeof number, "%" PRIu64, s->number);
		*p = q + 1;
		return add(b, number, strlen(number));
	}
	*p += *q ? 2 : 1;
	return add(b, *p - (*q ? 2 : 1), *q ? 2 : 1);
}

/* The statement with the values of the source's parameters. */
static const char *replaced(struct clrx *c, const struct clrx_source *s, const char *text)
{
	struct builder b = { .c = c };

	if (s->kind == SOURCE_FILE || (!strchr(text, '\\') && !(c->flow.alternate && s->parameters)))
		return text;
	for (const char *p = text; *p;) {
		size_t n = 0;
		const struct parameter *found = c->flow.alternate ? find_parameter(s, p, &n) : NULL;
		bool ok;
		if (*p == '\\') {
			ok = add_replaced(&b, s, &p);
		} else if (found) {
			ok = add(&b, found->value, strlen(found->value));
			p += n;
		} else {
			ok = add(&b, p, n ? n : 1);
			p += n ? n : 1;
		}
		if (!ok)
			return NULL;
	}
	return b.text ? b.text : "";
}

/* ---- the stack of sources ---- */

static struct clrx_source *push(struct clrx *c, enum source_kind kind, struct clrx_statements body)
{
	struct clrx_source *s;

	if (c->flow.depth == CLRX_DEPTH) {
		clrx_error(c, NULL, "more than %d files, macros and repetitions in each other: does a macro call "
			   "itself without an end?", CLRX_DEPTH);
		return NULL;
	}
	s = ARENA_NEW(&c->arena, struct clrx_source);
	if (!s) {
		clrx_no_memory(c);
		return NULL;
	}
	*s = (struct clrx_source){ .kind = kind, .body = body, .outer = c->flow.input,
				   .conditions = c->flow.nconditions, .call = c->now.position };
	c->flow.input = s;
	c->flow.depth++;
	return s;
}

bool clrx_open_file(struct clrx *c, const char *file, const char *text, size_t n)
{
	struct clrx_statements body;

	return clrx_read_file(c, file, text, n, &body) && push(c, SOURCE_FILE, body);
}

/* Evaluate "x=x+1" or a condition of a repetition, as a statement of its own place. */
static bool evaluate(struct clrx *c, const char *text, int64_t *out)
{
	struct clrx_statement now = c->now;
	bool ok;

	c->now.text = text;
	ok = clrx_number(c, &text, out) && clrx_ends(c, text);
	c->now = now;
	return ok;
}

static bool assign(struct clrx *c, const char *variable, const char *text)
{
	return clrx_assign(c, variable, strlen(variable), text, false, false);
}

/* Begin a repetition again; *again false: it was the last. */
static bool repeat(struct clrx *c, struct clrx_source *s, bool *again)
{
	int64_t v = 0;

	*again = false;
	if (s->kind != SOURCE_REPEAT)
		return true;
	if (s->following && !assign(c, s->variable, s->following))
		return false;
	if (s->condition && !evaluate(c, s->condition, &v))
		return false;
	if (s->condition ? !v : !s->repetitions)
		return true;
	if (!s->condition)
		s->repetitions--;
	if (s->values)
		s->parameters->value = *s->values++;
	if (++c->flow.statements > CLRX_STATEMENTS)
		return diag_place(c->d, s->call, "the repetition goes on after %d statements: its condition never "
				  "becomes 0", CLRX_STATEMENTS);
	s->position = 0;
	return *again = true;
}

bool clrx_never_closed(struct clrx *c)
{
	return diag_place(c->d, c->flow.condition[c->flow.nconditions - 1].position,
			  "this condition is never closed: .endif is missing");
}

static bool close_source(struct clrx *c, struct clrx_source *s)
{
	if (c->flow.nconditions > s->conditions)
		return clrx_never_closed(c);
	c->flow.input = s->outer;
	c->flow.depth--;
	return true;
}

/* The next statement of the innermost source, as written; NULL with *end: of all. */
static const struct clrx_statement *fetch(struct clrx *c, bool *end)
{
	*end = false;
	while (c->flow.input) {
		struct clrx_source *s = c->flow.input;
		bool again = false;
		if (s->position < s->body.count)
			return &s->body.list[s->position++];
		if (!repeat(c, s, &again) || (!again && !close_source(c, s)))
			return NULL;
	}
	*end = true;
	return NULL;
}

static bool is_op(const char *text, const char *name)
{
	size_t n = strlen(name);

	return *text == '.' && !strncasecmp(text + 1, name, n) && !clrx_name_length(text + 1 + n) &&
	       !isdigit((unsigned char)text[1 + n]);
}

static bool begins_with(const char *text, const char *name)
{
	return *text == '.' && !strncasecmp(text + 1, name, strlen(name));
}

/* While a condition skips, others are only counted. */
static bool skips(const struct clrx *c, const char *text)
{
	return c->flow.dead && !begins_with(text, "if") && !begins_with(text, "else") && !is_op(text, "endif");
}

bool clrx_next(struct clrx *c, bool *end)
{
	for (;;) {
		const struct clrx_statement *s = fetch(c, end);
		if (!s)
			return *end;
		if (skips(c, s->text))
			continue;
		if (++c->flow.statements > CLRX_STATEMENTS)
			return diag_place(c->d, s->position, "more than %d statements with all repetitions",
					  CLRX_STATEMENTS);
		c->now = *s;
		c->now.text = replaced(c, c->flow.input, s->text);
		return c->now.text != NULL;
	}
}

/* ---- bodies ---- */

/* The text of a statement behind its labels. */
static const char *behind_labels(const char *text)
{
	for (;;) {
		size_t n = strcspn(text, " \t:\"=");
		const char *colon = clrx_skip(text + n);
		if (!n || *colon != ':' || colon[1] == ':')
			return text;
		text = clrx_skip(colon + 1);
	}
}

/* The statements up to the end of a macro or repetition, which may have others of its kind in it. */
static bool read_body(struct clrx *c, bool macro, struct clrx_statements *out)
{
	static const char *const openers[] = { "rept", "irp", "irpc", "for", "while" };
	struct text_place place = c->now.position;
	size_t capacity = 0;
	unsigned depth = 1;
	bool end;

	*out = (struct clrx_statements){ NULL, 0 };
	for (;;) {
		const struct clrx_statement *s = c->flow.input && c->flow.input->position < c->flow.input->body.count ?
						 fetch(c, &end) : NULL;
		struct clrx_statement *to;
		if (!s)
			return diag_place(c->d, place, "this %s is never closed: %s is missing",
					  macro ? "macro" : "repetition", macro ? ".endm" : ".endr");
		const char *text = behind_labels(s->text);
		bool closes = macro ? is_op(text, "endm") || is_op(text, "endmacro")
				    : is_op(text, "endr") || is_op(text, "endrept");
		depth -= closes;
		if (!depth)
			return true;
		depth += macro && is_op(text, "macro");
		for (size_t i = 0; !macro && i < sizeof openers / sizeof *openers; i++)
			depth += is_op(text, openers[i]);
		to = clrx_grow(c, (void **)&out->list, &out->count, &capacity, sizeof *to);
		if (!to)
			return false;
		*to = *s;
		if (!(to->text = replaced(c, c->flow.input, s->text)))
			return false;
	}
}

/* ---- macros ---- */

/* Letters that join the words around them to an expression. */
#define JOINING "+-*/%|&^<>=!?:~()"

/* <TEXT> of .altmacro, where ! takes the next letter as it is. */
static bool read_bracketed(struct clrx *c, const char **p, const char **out)
{
	char *text = clrx_copy(c, *p, strlen(*p));
	unsigned depth = 1;
	size_t n = 0;

	if (!text)
		return false;
	for (const char *q = *p + 1; *q; q++) {
		depth += *q == '<';
		depth -= *q == '>';
		if (!depth) {
			text[n] = '\0';
			*out = text;
			*p = q + 1;
			return true;
		}
		q += *q == '!' && q[1];
		text[n++] = *q;
	}
	return clrx_error(c, *p, "the text in <…> does not end: > is missing");
}

/* A value in a macro's call: up to a comma, or a blank with no operator around; quotes are dropped around a text. */
static bool read_value(struct clrx *c, const char **p, bool rest, const char **out)
{
	const char *from = *p = clrx_skip(*p), *end;
	unsigned brackets = 0;
	char *text;
	size_t n;

	if (rest) {
		*p += strlen(from);
		return (*out = clrx_copy(c, from, strlen(from))) != NULL;
	}
	if (*from == '"') {
		const char *close = clrx_quoted_end(from);
		if (!close)
			return clrx_error(c, from, "the text in quotes does not end");
		*p = close;
		return (*out = clrx_copy(c, from + 1, (size_t)(close - from) - 2)) != NULL;
	}
	if (c->flow.alternate && *from == '<')
		return read_bracketed(c, p, out);
	/* a blank inside an expression does not end a value, and is dropped */
	if (!(text = clrx_copy(c, from, strlen(from))))
		return false;
	for (end = from, n = 0; *end && (brackets || *end != ','); end++) {
		const char *next = clrx_skip(end);
		brackets += *end == '(' || *end == '[';
		brackets -= brackets && (*end == ')' || *end == ']');
		if (!isspace((unsigned char)*end))
			text[n++] = *end;
		else if (!*next || (!brackets && !strchr(JOINING, *next) && !strchr(JOINING, text[n - 1])))
			break;
	}
	*p = end;
	text[n] = '\0';
	*out = text;
	if ((c->flow.alternate && *text == '%') || (text[0] == '\\' && text[1] == '%')) {
		int64_t v;
		char number[24];
		if (!evaluate(c, text + (*text == '%' ? 1 : 2), &v))
			return false;
		snprintf(number, sizeof number, "%" PRId64, v);
		return (*out = clrx_copy(c, number, strlen(number))) != NULL;
	}
	return true;
}

static struct parameter *add_parameter(struct clrx *c, struct parameter ***last, const char *name, size_t n)
{
	struct parameter *p = ARENA_NEW(&c->arena, struct parameter);

	if (!p || !(p->name = clrx_copy(c, name, n))) {
		clrx_no_memory(c);
		return NULL;
	}
	p->value = "";
	**last = p;
	*last = &p->next;
	return p;
}

/* NAME[:req][:vararg][=VALUE] … */
static bool read_parameters(struct clrx *c, const char *p, struct parameter **list)
{
	struct parameter **last = list;

	for (p = clrx_skip(p); *p; p = clrx_skip(p)) {
		size_t n = clrx_name_length(p);
		struct parameter *parameter;
		if (*p == ',') {
			p++;
			continue;
		}
		if (!n)
			return clrx_error(c, p, "found `%.20s`, expected a parameter's name", p);
		if (!(parameter = add_parameter(c, &last, p, n)))
			return false;
		for (p = clrx_skip(p + n); *p == ':'; p = clrx_skip(p + n)) {
			p = clrx_skip(p + 1);
			n = plain_name(p);
			parameter->required |= clrx_word_is(p, n, "req");
			parameter->rest |= clrx_word_is(p, n, "vararg");
			if (!clrx_word_is(p, n, "req") && !clrx_word_is(p, n, "vararg"))
				return clrx_error(c, p, "found `%.20s`, expected req or vararg", p);
		}
		if (*p == '=') {
			p++;
			if (!read_value(c, &p, false, &parameter->value))
				return false;
		}
	}
	return true;
}

static bool define_macro(struct clrx *c, const char *rest)
{
	size_t n = clrx_name_length(rest);
	struct clrx_macro *m, *before;

	if (!n)
		return clrx_error(c, rest, "found `%.20s`, expected .macro NAME [PARAMETER]…", rest);
	m = ARENA_NEW(&c->arena, struct clrx_macro);
	if (!m || !(m->name = clrx_copy(c, rest, n)))
		return clrx_no_memory(c);
	for (char *p = m->name; *p && !c->flow.exact_macros; p++)
		*p = (char)tolower((unsigned char)*p);
	if (!read_parameters(c, rest + n, &m->parameters) || !read_body(c, true, &m->body))
		return false;
	HASH_FIND_STR(c->flow.macros, m->name, before);
	if (before)
		return clrx_error(c, NULL, "there is a macro `%s` already: .purgem %s lets it go", m->name, m->name);
	HASH_ADD_KEYPTR(hh, c->flow.macros, m->name, (unsigned)n, m);
	return m->hh.tbl || clrx_no_memory(c);
}

static struct clrx_macro *find_macro(struct clrx *c, const char *name, size_t n)
{
	char small[CLRX_NAME];
	struct clrx_macro *m;

	if (!c->flow.macros || n >= sizeof small)
		return NULL;
	for (size_t i = 0; i < n; i++)
		small[i] = c->flow.exact_macros ? name[i] : (char)tolower((unsigned char)name[i]);
	HASH_FIND(hh, c->flow.macros, small, (unsigned)n, m);
	return m;
}

static bool forget_macro(struct clrx *c, const char *rest)
{
	size_t n = clrx_name_length(rest);
	struct clrx_macro *m = find_macro(c, rest, n);

	if (m)
		HASH_DEL(c->flow.macros, m);
	return clrx_ends(c, rest + n);
}

bool clrx_call_macro(struct clrx *c, const char *name, size_t n, const char *rest, bool *called)
{
	struct clrx_macro *m = find_macro(c, name, n);
	struct parameter *values = NULL, **last = &values;
	struct clrx_source *s;

	*called = m != NULL;
	if (!m)
		return true;
	rest = clrx_skip(rest);
	for (const struct parameter *p = m->parameters; p; p = p->next) {
		struct parameter *value = add_parameter(c, &last, p->name, strlen(p->name));
		if (!value || (*rest && !read_value(c, &rest, p->rest, &value->value)))
			return false;
		rest = clrx_skip(rest);
		if (*rest == ',')
			rest = clrx_skip(rest + 1);
		if (!*value->value)
			value->value = p->value;
		if (!*value->value && p->required)
			return clrx_error(c, rest, "macro `%s` needs a value for its parameter `%s`", m->name,
					  p->name);
	}
	if (*rest)
		return clrx_error(c, rest, "macro `%s` has no parameter for `%.20s`", m->name, rest);
	if (!(s = push(c, SOURCE_MACRO, m->body)))
		return false;
	s->parameters = values;
	s->number = c->flow.expansions++;
	return true;
}

static bool leave_macro(struct clrx *c)
{
	struct clrx_source *s = c->flow.input;

	while (s && s->kind == SOURCE_REPEAT)
		s = s->outer;
	if (!s || s->kind != SOURCE_MACRO)
		return clrx_error(c, NULL, ".exitm stands outside of a macro");
	for (;; c->flow.input = c->flow.input->outer, c->flow.depth--) {
		c->flow.nconditions = c->flow.input->conditions;
		if (c->flow.input != s)
			continue;
		s->position = s->body.count;
		return true;
	}
}

/* ---- repetitions ---- */

static bool begin_repeat(struct clrx *c, struct clrx_source **out)
{
	struct clrx_statement now = c->now;
	struct clrx_statements body;
	bool ok = read_body(c, false, &body);

	c->now = now;
	*out = ok ? push(c, SOURCE_REPEAT, body) : NULL;
	if (*out)
		(*out)->position = body.count;          /* the first time begins like the others */
	return *out != NULL;
}

static bool begin_rept(struct clrx *c, const char *rest)
{
	struct clrx_source *s;
	int64_t n;

	if (!clrx_number(c, &rest, &n) || !clrx_ends(c, rest) || !begin_repeat(c, &s))
		return false;
	if (n < 0 || n > CLRX_STATEMENTS)
		return clrx_error(c, NULL, ".rept %" PRId64 ": expected a number from 0 to %d", n, CLRX_STATEMENTS);
	s->repetitions = (uint64_t)n;
	return true;
}

static bool begin_while(struct clrx *c, const char *rest)
{
	struct clrx_source *s;

	if (!*rest)
		return clrx_error(c, rest, "expected .while CONDITION");
	if (!begin_repeat(c, &s))
		return false;
	s->condition = rest;
	return true;
}

/* .for SYMBOL=FIRST, CONDITION, NEXT */
static bool begin_for(struct clrx *c, const char *rest)
{
	size_t n = clrx_name_length(rest);
	const char *first = clrx_skip(rest + n), *condition = strchr(first, ','),
		   *next = condition ? strchr(condition + 1, ',') : NULL;
	struct clrx_source *s;

	if (!n || *first != '=' || !next)
		return clrx_error(c, rest, "expected .for SYMBOL=FIRST, CONDITION, NEXT");
	const char *variable = clrx_copy(c, rest, n);
	const char *value = clrx_copy(c, first + 1, (size_t)(condition - first) - 1);
	if (!variable || !value || !assign(c, variable, value) || !begin_repeat(c, &s))
		return false;
	s->variable = variable;
	s->condition = clrx_copy(c, condition + 1, (size_t)(next - condition) - 1);
	if (!s->condition)
		return false;
	/* before the first time nothing is assigned: the statement is set behind the first condition */
	int64_t v;
	if (!evaluate(c, s->condition, &v))
		return false;
	s->position = v ? 0 : s->body.count;
	if (!v)
		s->condition = "0";
	else
		s->following = next + 1;
	return true;
}

/* .irp NAME, VALUE, …; .irpc NAME, LETTERS */
static bool begin_irp(struct clrx *c, const char *rest, bool letters)
{
	size_t n = plain_name(rest), count = 0, capacity = 0;
	const char **values = NULL, *p = clrx_skip(rest + n);
	struct parameter *parameter = NULL, **last = &parameter;
	struct clrx_source *s;

	if (!n)
		return clrx_error(c, rest, "expected a name and its values");
	if (!add_parameter(c, &last, rest, n))
		return false;
	p = clrx_skip(*p == ',' ? p + 1 : p);
	while (*p) {
		const char **to = clrx_grow(c, (void **)&values, &count, &capacity, sizeof *to);
		if (!to || !(letters ? (*to = clrx_copy(c, p++, 1)) != NULL : read_value(c, &p, false, to)))
			return false;
		p = clrx_skip(p);
		p = clrx_skip(*p == ',' && !letters ? p + 1 : p);
	}
	if (!begin_repeat(c, &s))
		return false;
	s->parameters = parameter;
	s->values = values;
	s->repetitions = count;
	return true;
}

/* ---- conditions ---- */

static bool same_strings(struct clrx *c, const char *rest, int64_t *out)
{
	char *a, *b;
	size_t na, nb;
	bool more;

	if (!clrx_string(c, &rest, &a, &na) || !clrx_comma(c, &rest, &more) || !clrx_string(c, &rest, &b, &nb))
		return false;
	*out = na == nb && !memcmp(a, b, na);
	return true;
}

/* Two texts, quoted or bare: equal? */
static bool same_texts(struct clrx *c, const char *rest, bool quoted, int64_t *out)
{
	const char *second, *first_end;

	if (quoted)
		return same_strings(c, rest, out);
	second = strchr(rest, ',');
	if (!second)
		return clrx_error(c, rest, "expected two texts with a comma between");
	for (first_end = second; first_end > rest && isspace((unsigned char)first_end[-1]);)
		first_end--;
	second = clrx_skip(second + 1);
	*out = strlen(second) == (size_t)(first_end - rest) && !strncmp(second, rest, strlen(second));
	return true;
}

static bool is_format(struct clrx *c, const char *rest, int64_t *out)
{
	static const char *const names[FORMATS] = {
		[FORMAT_AMD] = "amd", [FORMAT_GALLIUM] = "gallium", [FORMAT_RAW] = "raw", [FORMAT_AMDCL2] = "amdcl2",
		[FORMAT_ROCM] = "rocm",
	};
	size_t n = clrx_name_length(rest);

	*out = clrx_word_is(rest, n, names[c->chosen.format]) ||
	       (c->chosen.format == FORMAT_AMD && clrx_word_is(rest, n, "catalyst"));
	return true;
}

static bool is_arch(struct clrx *c, const char *rest, int64_t *out)
{
	size_t n = strcspn(rest, " \t");
	int arch = clrx_arch_named(rest, n);

	*out = arch == c->chosen.arch;
	return arch >= 0 || clrx_error(c, rest, "found `%.20s`, expected an architecture such as GCN1.2, VI or GFX8",
				       rest);
}

static bool is_gpu(struct clrx *c, const char *rest, int64_t *out)
{
	size_t n = strcspn(rest, " \t");
	int gpu = clrx_gpu_named(rest, n);

	*out = gpu == c->chosen.gpu;
	return gpu >= 0 || clrx_error(c, rest, "found `%.20s`, expected a device such as Tonga, Fiji or GFX900", rest);
}

static bool is_defined(struct clrx *c, const char *rest, int64_t *out)
{
	size_t n = clrx_path_length(rest);

	if (!n)
		return clrx_error(c, rest, "expected a symbol's name");
	*out = clrx_find(c, c->names.scope, rest, n) != NULL;
	return clrx_ends(c, rest + n);
}

/* The condition behind "if" or "elseif". */
static bool test(struct clrx *c, const char *word, size_t n, const char *rest, bool *out)
{
	static const struct { const char *word; bool (*test)(struct clrx *c, const char *rest, int64_t *out);
			      bool inverted; } words[] = {
		{ "fmt", is_format, false }, { "nfmt", is_format, true }, { "arch", is_arch, false },
		{ "narch", is_arch, true }, { "gpu", is_gpu, false }, { "ngpu", is_gpu, true },
		{ "def", is_defined, false }, { "ndef", is_defined, true }, { "notdef", is_defined, true },
	};
	static const char *const signs[] = { "", "ne", "eq", "lt", "le", "gt", "ge" };
	int64_t v;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (clrx_word_is(word, n, words[i].word)) {
			bool ok = words[i].test(c, rest, &v);
			*out = (v != 0) != words[i].inverted;
			return ok;
		}
	if (clrx_word_is(word, n, "32") || clrx_word_is(word, n, "64")) {
		*out = c->chosen.wide == (*word == '6');
		return true;
	}
	if (clrx_word_is(word, n, "b") || clrx_word_is(word, n, "nb")) {
		*out = !*rest == (n == 1);
		return true;
	}
	if (clrx_word_is(word, n, "c") || clrx_word_is(word, n, "nc") || clrx_word_is(word, n, "eqs") ||
	    clrx_word_is(word, n, "nes")) {
		bool ok = same_texts(c, rest, n == 3, &v);
		*out = (v != 0) == (tolower((unsigned char)*word) != 'n');
		return ok;
	}
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		if (!clrx_word_is(word, n, signs[i]))
			continue;
		if (!clrx_number(c, &rest, &v) || !clrx_ends(c, rest))
			return false;
		const bool results[] = { v != 0, v != 0, v == 0, v < 0, v <= 0, v > 0, v >= 0 };
		*out = results[i];
		return true;
	}
	return clrx_error(c, word, "unknown condition `%.*s`", (int)n, word);
}

static void count_dead(struct clrx *c)
{
	c->flow.dead = 0;
	for (unsigned i = 0; i < c->flow.nconditions; i++)
		c->flow.dead += !c->flow.condition[i].live;
}

static bool open_condition(struct clrx *c, const char *word, size_t n, const char *rest)
{
	bool live = false, skipped = c->flow.dead;

	if (c->flow.nconditions == CLRX_CONDITIONS)
		return clrx_error(c, NULL, "more than %d conditions in each other", CLRX_CONDITIONS);
	if (!skipped && !test(c, word, n, rest, &live))
		return false;
	c->flow.condition[c->flow.nconditions].live = live;
	c->flow.condition[c->flow.nconditions].taken = live || skipped;
	c->flow.condition[c->flow.nconditions].seen_else = false;
	c->flow.condition[c->flow.nconditions++].position = c->now.position;
	count_dead(c);
	return true;
}

static bool change_condition(struct clrx *c, const char *word, size_t n, const char *rest)
{
	bool plain = !n;
	unsigned last = c->flow.nconditions - 1, first = c->flow.input ? c->flow.input->conditions : 0;

	if (c->flow.nconditions <= first)
		return clrx_error(c, NULL, "%s stands outside of a condition", plain ? ".else" : ".elseif");
	if (c->flow.condition[last].seen_else)
		return clrx_error(c, NULL, "this stands behind the .else of the condition in line %d",
				  c->flow.condition[last].position.line);
	c->flow.condition[last].seen_else = plain;
	if (c->flow.condition[last].taken) {
		c->flow.condition[last].live = false;
	} else if (plain) {
		c->flow.condition[last].live = c->flow.condition[last].taken = true;
	} else {
		bool live;
		if (!test(c, word + 2, n - 2, rest, &live))
			return false;
		c->flow.condition[last].live = c->flow.condition[last].taken = live;
	}
	count_dead(c);
	return true;
}

static bool close_condition(struct clrx *c)
{
	unsigned first = c->flow.input ? c->flow.input->conditions : 0;

	if (c->flow.nconditions <= first)
		return clrx_error(c, NULL, ".endif without a condition");
	c->flow.nconditions--;
	count_dead(c);
	return true;
}

/* ---- names ---- */

/* In .altmacro, names of a macro's own: each gets a value that nobody else has. */
static bool local_names(struct clrx *c, const char *rest)
{
	struct parameter **last = &c->flow.input->parameters;
	char unique[32];
	bool more = true;

	while (*last)
		last = &(*last)->next;
	while (more) {
		size_t n = plain_name(rest);
		struct parameter *p;
		snprintf(unique, sizeof unique, ".LL%" PRIu64, c->flow.locals_made++);
		if (!n)
			return clrx_error(c, rest, "expected a name");
		if (!(p = add_parameter(c, &last, rest, n)) || !(p->value = clrx_copy(c, unique, strlen(unique))))
			return false;
		rest += n;
		if (!clrx_comma(c, &rest, &more))
			return false;
	}
	return true;
}

bool clrx_flow_op(struct clrx *c, const char *name, const char *rest, bool *mine)
{
	size_t n = (size_t)strcspn(name, " \t");

	*mine = true;
	if (!strncasecmp(name, "elseif", 6) && n >= 6)
		return change_condition(c, name + 4, n - 4, rest);
	if (clrx_word_is(name, n, "else"))
		return change_condition(c, name, 0, rest);
	if (clrx_word_is(name, n, "endif"))
		return close_condition(c);
	if (!strncasecmp(name, "if", 2))
		return open_condition(c, name + 2, n - 2, rest);
	if (clrx_word_is(name, n, "macro"))
		return define_macro(c, rest);
	if (clrx_word_is(name, n, "rept"))
		return begin_rept(c, rest);
	if (clrx_word_is(name, n, "while"))
		return begin_while(c, rest);
	if (clrx_word_is(name, n, "for"))
		return begin_for(c, rest);
	if (clrx_word_is(name, n, "irp") || clrx_word_is(name, n, "irpc"))
		return begin_irp(c, rest, n == 4);
	if (clrx_word_is(name, n, "purgem"))
		return forget_macro(c, rest);
	if (clrx_word_is(name, n, "exitm"))
		return leave_macro(c);
	if (clrx_word_is(name, n, "altmacro") || clrx_word_is(name, n, "noaltmacro")) {
		c->flow.alternate = n == 8;
		return true;
	}
	if (clrx_word_is(name, n, "macrocase") || clrx_word_is(name, n, "nomacrocase")) {
		c->flow.exact_macros = n == 11;
		return true;
	}
	if (c->flow.alternate && clrx_word_is(name, n, "local") && c->flow.input->kind == SOURCE_MACRO)
		return local_names(c, rest);
	if (clrx_word_is(name, n, "endm") || clrx_word_is(name, n, "endmacro") || clrx_word_is(name, n, "endr") ||
	    clrx_word_is(name, n, "endrept"))
		return clrx_error(c, NULL, ".%.*s closes nothing", (int)n, name);
	*mine = false;
	return true;
}

void clrx_free_flow(struct clrx *c)
{
	HASH_CLEAR(hh, c->flow.macros);
}
