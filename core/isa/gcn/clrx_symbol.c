/* CLRX: scopes lie in each other and may use other scopes. The search for a name begins in the present scope, goes
 * through the scopes in use, the latest first, and continues in the scope around. A path `::a::b::name` says the
 * scope. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/isa/gcn/clrx_impl.h"

enum { USE_DEPTH = 32 };                        /* scopes in use by scopes in use */

struct clrx_scope *clrx_new_scope(struct clrx *c, const char *name, size_t n, struct clrx_scope *parent)
{
	struct clrx_scope *s = ARENA_NEW(&c->arena, struct clrx_scope);

	if (!s || !(s->name = clrx_copy(c, name, n))) {
		clrx_no_memory(c);
		return NULL;
	}
	s->parent = parent;
	s->all_next = c->names.scopes;
	c->names.scopes = s;
	if (parent && n) {
		HASH_ADD_KEYPTR(hh, parent->children, s->name, (unsigned)n, s);
		if (!s->hh.tbl) {
			clrx_no_memory(c);
			return NULL;
		}
	}
	return s;
}

void clrx_free_scopes(struct clrx *c)
{
	for (struct clrx_scope *s = c->names.scopes; s; s = s->all_next) {
		HASH_CLEAR(hh, s->children);
		HASH_CLEAR(hh, s->symbols);
	}
	HASH_CLEAR(hh, c->names.locals);
	HASH_CLEAR(hh, c->names.awaited);
}

/* ---- paths ---- */

size_t clrx_path_length(const char *p)
{
	size_t n = 0, part;

	for (;;) {
		if (p[n] == ':' && p[n + 1] == ':')
			n += 2;
		else if (n)
			return n;
		part = clrx_name_length(p + n);
		if (!part)
			return n > 2 ? n - 2 : 0;
		n += part;
	}
}

/* Letters of a name up to "::" or the end. */
static size_t part_length(const char *p, size_t n)
{
	size_t i = 0;

	while (i + 1 < n && !(p[i] == ':' && p[i + 1] == ':'))
		i++;
	return i + 1 < n ? i : n;
}

static struct clrx_scope *child(struct clrx_scope *s, const char *name, size_t n)
{
	struct clrx_scope *found;

	HASH_FIND(hh, s->children, name, (unsigned)n, found);
	return found;
}

/* The scope of a name's path, with the name left in *name and *n; NULL: no scope of the path.
 * make: a missing scope is made. *path false: the name has no path. */
static struct clrx_scope *scope_of(struct clrx *c, struct clrx_scope *from, const char **name, size_t *n, bool make,
				   bool *path)
{
	struct clrx_scope *s = NULL;
	size_t part = part_length(*name, *n);

	*path = part < *n;
	if (!*path)
		return from;
	for (bool first = true; (part = part_length(*name, *n)) < *n; first = false) {
		struct clrx_scope *base = s ? s : from, *next = NULL;
		if (first && !part) {
			s = c->names.root;
		} else {
			next = child(base, *name, part);
			for (struct clrx_scope *o = base->parent; first && !next && o; o = o->parent)
				next = child(o, *name, part);
			if (!next && make)
				next = clrx_new_scope(c, *name, part, base);
			if (!next)
				return NULL;
			s = next;
		}
		*name += part + 2;
		*n -= part + 2;
	}
	return s;
}

static struct clrx_symbol *find_here(const struct clrx_scope *s, const char *name, size_t n)
{
	struct clrx_symbol *found;

	HASH_FIND(hh, s->symbols, name, (unsigned)n, found);
	return found && found->kind != SYMBOL_NONE ? found : NULL;
}

static struct clrx_symbol *find_used(const struct clrx_scope *s, const char *name, size_t n, unsigned depth)
{
	struct clrx_symbol *found = find_here(s, name, n);

	for (struct clrx_using *u = s->usings; !found && u && depth; u = u->before)
		found = find_used(u->scope, name, n, depth - 1);
	return found;
}

struct clrx_symbol *clrx_find(struct clrx *c, struct clrx_scope *scope, const char *name, size_t n)
{
	bool path;
	struct clrx_scope *s = scope_of(c, scope, &name, &n, false, &path);
	struct clrx_symbol *found = s ? find_used(s, name, n, USE_DEPTH) : NULL;

	while (!path && !found && s && (s = s->parent))
		found = find_used(s, name, n, USE_DEPTH);
	return found;
}

struct clrx_symbol *clrx_define(struct clrx *c, const char *name, size_t n, bool once)
{
	const char *whole = name;
	size_t length = n;
	bool path;
	struct clrx_scope *s = scope_of(c, c->names.scope, &name, &n, true, &path);
	struct clrx_symbol *symbol;

	if (!s)
		return NULL;
	HASH_FIND(hh, s->symbols, name, (unsigned)n, symbol);
	if (!symbol) {
		symbol = ARENA_NEW(&c->arena, struct clrx_symbol);
		if (!symbol || !(symbol->name = clrx_copy(c, name, n))) {
			clrx_no_memory(c);
			return NULL;
		}
		HASH_ADD_KEYPTR(hh, s->symbols, symbol->name, (unsigned)n, symbol);
		if (!symbol->hh.tbl) {
			clrx_no_memory(c);
			return NULL;
		}
	}
	if (symbol->kind != SYMBOL_NONE && (symbol->once || once)) {
		clrx_error(c, whole, "`%.*s` is defined already, and %s", (int)length, whole, symbol->once ?
			   "may not change: .set and = make symbols that may" : "a label needs a name of its own");
		return NULL;
	}
	symbol->once = once;
	symbol->is_label = symbol->lasting = false;
	return symbol;
}

bool clrx_await(struct clrx *c, const char *name, size_t n)
{
	struct clrx_symbol *s;

	for (size_t part; (part = part_length(name, n)) < n; name += part + 2)
		n -= part + 2;
	HASH_FIND(hh, c->names.awaited, name, (unsigned)n, s);
	if (s)
		return true;
	s = ARENA_NEW(&c->arena, struct clrx_symbol);
	if (!s || !(s->name = clrx_copy(c, name, n)))
		return clrx_no_memory(c);
	HASH_ADD_KEYPTR(hh, c->names.awaited, s->name, (unsigned)n, s);
	return s->hh.tbl || clrx_no_memory(c);
}

bool clrx_awaited(struct clrx *c, const char *name, size_t n)
{
	struct clrx_symbol *s;

	for (size_t part; (part = part_length(name, n)) < n; name += part + 2)
		n -= part + 2;
	HASH_FIND(hh, c->names.awaited, name, (unsigned)n, s);
	if (s)
		HASH_DEL(c->names.awaited, s);
	return s != NULL;
}

/* ---- labels ---- */

/* "3:": the symbol $3$N is the Nth of this name; clrx_expr.c knows 3f and 3b. */
static bool local_label(struct clrx *c, const char *name, size_t n, struct clrx_value v)
{
	struct clrx_symbol *counter;
	char text[CLRX_WORD];
	int length;

	HASH_FIND(hh, c->names.locals, name, (unsigned)n, counter);
	if (!counter) {
		counter = ARENA_NEW(&c->arena, struct clrx_symbol);
		if (!counter || !(counter->name = clrx_copy(c, name, n)))
			return clrx_no_memory(c);
		HASH_ADD_KEYPTR(hh, c->names.locals, counter->name, (unsigned)n, counter);
		if (!counter->hh.tbl)
			return clrx_no_memory(c);
	}
	length = snprintf(text, sizeof text, "::$%.*s$%llu", (int)(n < 24 ? n : 24), name,
			  (unsigned long long)++counter->value.number);
	counter = clrx_define(c, text, (size_t)length, true);
	if (!counter)
		return false;
	counter->kind = SYMBOL_VALUE;
	counter->value = v;
	return true;
}

bool clrx_label(struct clrx *c, const char *name, size_t n)
{
	const struct clrx_section *s = &c->sections.list[c->here];
	struct clrx_value v = { s->size, s->kind == SECTION_ABSOLUTE ? SECTION_NONE : c->here, HALF_WHOLE };
	struct clrx_symbol *symbol;

	if (s->kind == SECTION_CONFIG)
		return clrx_error(c, name, "a label stands in a section; .text or .data comes before");
	if (isdigit((unsigned char)*name))
		return local_label(c, name, n, v);
	if (!(symbol = clrx_define(c, name, n, true)))
		return false;
	symbol->kind = SYMBOL_VALUE;
	symbol->value = v;
	symbol->is_label = true;
	return true;
}

/* ---- scopes ---- */

bool clrx_open_scope(struct clrx *c, const char *name, size_t n)
{
	bool path;
	struct clrx_scope *s;

	if (!n) {
		s = clrx_new_scope(c, "", 0, c->names.scope);
	} else {
		struct clrx_scope *parent = scope_of(c, c->names.scope, &name, &n, true, &path);
		s = parent ? child(parent, name, n) : NULL;
		if (!s && parent)
			s = clrx_new_scope(c, name, n, parent);
	}
	if (!s)
		return false;
	c->names.scope = s;
	return true;
}

bool clrx_close_scope(struct clrx *c)
{
	if (c->names.scope == c->names.root)
		return clrx_error(c, NULL, ".ends closes no scope: .scope [NAME] opens one");
	c->names.scope = c->names.scope->parent;
	return true;
}

bool clrx_use_scope(struct clrx *c, const char *name, size_t n, bool use)
{
	const char *last = name;
	size_t length = n;
	bool path;
	struct clrx_scope *parent, *s;
	struct clrx_using **u;

	if (!n && !use) {
		c->names.scope->usings = NULL;
		return true;
	}
	parent = scope_of(c, c->names.scope, &last, &length, false, &path);
	s = parent ? child(parent, last, length) : NULL;
	for (struct clrx_scope *o = c->names.scope->parent; !s && !path && o; o = o->parent)
		s = child(o, last, length);
	if (!s)
		return clrx_error(c, name, "there is no scope `%.*s`", (int)n, name);
	for (u = &c->names.scope->usings; *u; u = &(*u)->before)
		if ((*u)->scope == s) {
			*u = (*u)->before;
			break;
		}
	if (!use)
		return true;
	struct clrx_using *added = ARENA_NEW(&c->arena, struct clrx_using);
	if (!added)
		return clrx_no_memory(c);
	*added = (struct clrx_using){ s, c->names.scope->usings };
	c->names.scope->usings = added;
	return true;
}
