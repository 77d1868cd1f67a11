/* CLRX: symbols get values: numbers and places, registers, or texts with names of later lines. */
#include <string.h>

#include "core/isa/gcn/clrx_impl.h"

/* A symbol that may change has a value: texts that wait for the name take the first one. */
static bool bind_awaited(struct clrx *c, const char *name, size_t n)
{
	return !clrx_awaited(c, name, n) || clrx_settle_again(c);
}

bool clrx_set_value(struct clrx *c, const char *name, size_t n, struct clrx_value v, bool once)
{
	struct clrx_symbol *s = clrx_define(c, name, n, once);

	if (!s)
		return false;
	s->kind = SYMBOL_VALUE;
	s->value = v;
	return bind_awaited(c, name, n);
}

/* %REGISTERS, %1, or a name of registers: *taken. */
static bool assign_registers(struct clrx *c, const char *name, size_t n, const char *rest, bool once, bool *taken)
{
	bool sign = *rest == '%';
	const char *p = clrx_skip(rest + sign), *from = p;
	struct clrx_registers r;
	struct clrx_symbol *s;

	*taken = clrx_registers(c, c->names.scope, &p, &r);
	if (!*taken && !sign)
		return !c->d->kind;
	if (*taken && !clrx_ends(c, p))
		return false;
	*taken = true;
	if (!(s = clrx_define(c, name, n, once)))
		return false;
	s->kind = p != from ? SYMBOL_REGISTERS : SYMBOL_CONSTANT;
	s->registers = r;
	s->text = from;
	return true;
}

bool clrx_assign(struct clrx *c, const char *name, size_t n, const char *rest, bool once, bool text)
{
	struct clrx_value v = { 0 };
	struct clrx_symbol *s;
	bool known, taken;
	const char *p = rest = clrx_skip(rest);

	if (!*rest)
		return clrx_error(c, rest, "expected an expression, or registers behind %%");
	if (!assign_registers(c, name, n, rest, once, &taken) || taken)
		return taken;
	if (text) {
		if (!(s = clrx_define(c, name, n, once)))
			return false;
		s->kind = SYMBOL_TEXT;
		s->text = rest;
		s->scope = c->names.scope;
		s->lasting = true;
		return bind_awaited(c, name, n);
	}
	if (!clrx_expression(c, c->names.scope, &p, &v, &known) || !clrx_ends(c, p))
		return false;
	if (known)
		return clrx_set_value(c, name, n, v, once);
	/* the names follow: the symbol is their text */
	const char *settled = clrx_settle(c, c->names.scope, rest, p);
	if (!settled || !(s = clrx_define(c, name, n, once)))
		return false;
	s->kind = SYMBOL_TEXT;
	s->text = settled;
	s->scope = c->names.scope;
	struct clrx_symbol **waiting = CLRX_GROW(c, c->names.waiting);
	if (waiting)
		*waiting = s;
	return waiting != NULL;
}
