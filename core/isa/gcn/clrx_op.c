/* CLRX: pseudo-operations of sections, symbols and data. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/bits.h"
#include "core/base/near.h"
#include "core/isa.h"
#include "core/isa/gcn/clrx_impl.h"
#include "core/isa/gcn/read.h"

/* ---- sections ---- */

static bool go_to(struct clrx *c, int section)
{
	c->here = section;
	return section != SECTION_NONE;
}

static int text_section(struct clrx *c)
{
	if (c->chosen.separate_layout && c->kernel >= 0)
		return c->kernels.list[c->kernel].code;
	return c->main.text;
}

static bool op_text(struct clrx *c, const char *rest)
{
	if (c->chosen.separate_layout && c->kernel < 0)
		return clrx_error(c, NULL, "code belongs to a kernel here: .kernel NAME comes before .text");
	return go_to(c, text_section(c)) && clrx_ends(c, rest);
}

static bool op_rodata(struct clrx *c, const char *rest)
{
	(void)rest;
	return go_to(c, c->main.rodata = clrx_section(c, ".rodata", SECTION_DATA, -1));
}

static bool op_data(struct clrx *c, const char *rest)
{
	(void)rest;
	if (c->chosen.format == FORMAT_AMD && c->kernel >= 0)
		return go_to(c, clrx_section(c, ".data", SECTION_ASIDE, c->kernel));
	return go_to(c, c->main.rwdata = clrx_section(c, ".data", SECTION_DATA, -1));
}

static bool op_bss(struct clrx *c, const char *rest)
{
	(void)rest;
	return go_to(c, c->main.bss = clrx_section(c, ".bss", SECTION_BSS, -1));
}

static bool op_section(struct clrx *c, const char *rest)
{
	size_t n = *rest == '"' ? 0 : clrx_name_length(rest);
	static const struct { const char *name; bool (*go)(struct clrx *c, const char *rest); } known[] = {
		{ ".text", op_text }, { ".rodata", op_rodata }, { ".data", op_data }, { ".bss", op_bss },
	};

	if (!n)
		return clrx_error(c, rest, "expected .section NAME");
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (clrx_word_is(rest, n, known[i].name))
			return known[i].go(c, "");
	const char *name = clrx_copy(c, rest, n);
	return name && go_to(c, clrx_section(c, name, SECTION_ASIDE, -1));
}

/* Back to what is of all kernels. */
static bool op_main(struct clrx *c, const char *rest)
{
	if (c->kernel >= 0)
		c->kernels.list[c->kernel].latest = c->here;
	c->kernel = -1;
	return go_to(c, c->main.latest) && clrx_ends(c, rest);
}

static bool op_offset(struct clrx *c, const char *rest)
{
	int64_t v;

	if (!clrx_number(c, &rest, &v) || !clrx_ends(c, rest))
		return false;
	if (v < 0 || v > CLRX_SECTION_BYTES)
		return clrx_error(c, NULL, "found %" PRId64 ", expected a place from 0 to 0x%x", v,
				  CLRX_SECTION_BYTES);
	c->sections.list[c->main.absolute].size = (uint64_t)v;
	return go_to(c, c->main.absolute);
}

/* ---- data ---- */

static bool wait(struct clrx *c, const char *from, const char *to, uint32_t size)
{
	struct clrx_fixup *f = CLRX_GROW(c, c->fixups);

	if (!f || !(f->text.text = clrx_settle(c, c->names.scope, from, to)))
		return false;
	f->section = c->here;
	f->offset = (uint32_t)c->sections.list[c->here].size;
	f->size = size;
	f->text.scope = c->names.scope;
	f->text.position = c->now.position;
	f->text.position.column += (int)(from - c->now.text);
	return true;
}

/* EXPRESSION, …: each of `size` bytes; an empty one is 0. */
static bool put_numbers(struct clrx *c, const char *rest, uint32_t size)
{
	bool more = *rest != '\0';

	while (more) {
		const char *from = rest = clrx_skip(rest);
		struct clrx_value v = { 0, SECTION_NONE, HALF_WHOLE };
		bool known = true;
		uint8_t bytes[16];
		if (*rest != ',' && *rest && !clrx_expression(c, c->names.scope, &rest, &v, &known))
			return false;
		if ((!known || v.section != SECTION_NONE) && !wait(c, from, rest, size))
			return false;
		clrx_put(bytes, size, known && v.section == SECTION_NONE ? v.number : 0);
		if (!clrx_emit(c, bytes, size) || !clrx_comma(c, &rest, &more))
			return false;
	}
	return true;
}

static bool op_byte(struct clrx *c, const char *rest) { return put_numbers(c, rest, 1); }
static bool op_short(struct clrx *c, const char *rest) { return put_numbers(c, rest, 2); }
static bool op_int(struct clrx *c, const char *rest) { return put_numbers(c, rest, 4); }
static bool op_quad(struct clrx *c, const char *rest) { return put_numbers(c, rest, 8); }

/* 128 bits, of hexadecimal or decimal digits. */
static bool op_octa(struct clrx *c, const char *rest)
{
	bool more = *rest != '\0';

	while (more) {
		const char *from = rest = clrx_skip(rest);
		bool negative = *rest == '-', hexadecimal;
		unsigned __int128 v = 0;
		uint8_t bytes[16];
		rest += *rest == '-' || *rest == '+';
		hexadecimal = *rest == '0' && (rest[1] | 32) == 'x';
		rest += hexadecimal ? 2 : 0;
		if (*from && *from != ',' && !isxdigit((unsigned char)*rest))
			return clrx_error(c, from, "found `%.20s`, expected a number of 128 bits", from);
		for (; hexadecimal ? isxdigit((unsigned char)*rest) : isdigit((unsigned char)*rest); rest++)
			v = v * (hexadecimal ? 16 : 10) + (unsigned)(isdigit((unsigned char)*rest) ? *rest - '0' :
								     (*rest | 32) - 'a' + 10);
		v = negative ? -v : v;
		for (unsigned i = 0; i < 16; i++)
			bytes[i] = (uint8_t)(v >> 8 * i);
		if (!clrx_emit(c, bytes, 16) || !clrx_comma(c, &rest, &more))
			return false;
	}
	return true;
}

static bool put_floats(struct clrx *c, const char *rest, uint32_t size)
{
	bool more = *rest != '\0';

	while (more) {
		const char *from = rest = clrx_skip(rest);
		char *end = (char *)(uintptr_t)rest;
		double v = *rest == ',' || !*rest ? 0 : strtod(rest, &end);
		uint8_t bytes[8];
		if (end == rest && *rest && *rest != ',')
			return clrx_error(c, from, "found `%.20s`, expected a float", from);
		rest = end + (size == 2 && *end == 'h') + (size == 4 && *end == 's') + (size == 8 && *end == 'l');
		clrx_put(bytes, size, size == 8 ? f64_bits(v) : size == 4 ? f32_bits((float)v) : gcn_half(v));
		if (!clrx_emit(c, bytes, size) || !clrx_comma(c, &rest, &more))
			return false;
	}
	return true;
}

static bool op_half(struct clrx *c, const char *rest) { return put_floats(c, rest, 2); }
static bool op_float(struct clrx *c, const char *rest) { return put_floats(c, rest, 4); }
static bool op_double(struct clrx *c, const char *rest) { return put_floats(c, rest, 8); }

/* "TEXT", …: letters of `size` bytes, and with `zero` a zero behind each text. */
static bool put_texts(struct clrx *c, const char *rest, unsigned size, bool zero)
{
	bool more = *rest != '\0';

	while (more) {
		char *text = NULL;
		size_t n = 0;
		bool empty = *rest == ',' || !*rest;
		if ((!empty && !clrx_string(c, &rest, &text, &n)) || !clrx_comma(c, &rest, &more))
			return false;
		if (empty)
			continue;
		for (size_t i = 0; i < n + zero; i++) {
			uint8_t letter[8] = { (uint8_t)text[i] };
			if (!clrx_emit(c, letter, size))
				return false;
		}
	}
	return true;
}

static bool op_ascii(struct clrx *c, const char *rest) { return put_texts(c, rest, 1, false); }
static bool op_asciz(struct clrx *c, const char *rest) { return put_texts(c, rest, 1, true); }
static bool op_string16(struct clrx *c, const char *rest) { return put_texts(c, rest, 2, true); }
static bool op_string32(struct clrx *c, const char *rest) { return put_texts(c, rest, 4, true); }
static bool op_string64(struct clrx *c, const char *rest) { return put_texts(c, rest, 8, true); }

/* Up to n numbers with commas between; missing ones keep their values, and have a bit of *said clear. */
static bool read_numbers(struct clrx *c, const char *rest, unsigned n, int64_t *v, unsigned *said)
{
	bool more = *rest != '\0';

	*said = 0;
	for (unsigned i = 0; more; i++) {
		rest = clrx_skip(rest);
		if (i == n)
			return clrx_error(c, rest, "found `%.20s`, expected at most %u numbers", rest, n);
		if (*rest != ',' && *rest) {
			if (!clrx_number(c, &rest, &v[i]))
				return false;
			*said |= 1u << i;
		}
		if (!clrx_comma(c, &rest, &more))
			return false;
	}
	return true;
}

static bool fill(struct clrx *c, const char *rest, unsigned low)
{
	int64_t v[3] = { 0, 1, 0 };
	unsigned said;
	uint8_t bytes[8];

	if (!read_numbers(c, rest, 3, v, &said))
		return false;
	v[0] = v[0] < 0 ? 0 : v[0];             /* CLRX warns */
	v[1] = v[1] < 0 ? 0 : v[1];
	if (!(said & 1) || v[0] > CLRX_SECTION_BYTES || v[1] > 4096)
		return clrx_error(c, NULL, "expected .fill TIMES[, BYTES[, VALUE]], with at most 0x%x times",
				  CLRX_SECTION_BYTES);
	clrx_put(bytes, 8, low == 4 ? (uint32_t)v[2] : (uint64_t)v[2]);
	for (int64_t i = 0; i < v[0] && v[1]; i++)
		if (!clrx_emit(c, bytes, v[1] < 8 ? (uint64_t)v[1] : 8) ||
		    (v[1] > 8 && !clrx_emit(c, NULL, (uint64_t)v[1] - 8)))
			return false;
	return true;
}

static bool op_fill(struct clrx *c, const char *rest) { return fill(c, rest, 4); }
static bool op_fillq(struct clrx *c, const char *rest) { return fill(c, rest, 8); }

static bool put_many(struct clrx *c, uint64_t n, uint64_t value, unsigned size)
{
	uint8_t bytes[8];

	clrx_put(bytes, 8, value);
	if (!value)
		return clrx_emit(c, NULL, n);
	for (uint64_t i = 0; i < n; i += size)
		if (!clrx_emit(c, bytes, n - i < size ? n - i : size))
			return false;
	return true;
}

static bool op_skip(struct clrx *c, const char *rest)
{
	int64_t v[2] = { 0, 0 };
	unsigned said;

	if (!read_numbers(c, rest, 2, v, &said))
		return false;
	v[0] = v[0] < 0 ? 0 : v[0];
	if (!(said & 1) || v[0] > CLRX_SECTION_BYTES)
		return clrx_error(c, NULL, "expected .skip BYTES[, VALUE], with at most 0x%x bytes",
				  CLRX_SECTION_BYTES);
	return put_many(c, (uint64_t)v[0], (uint8_t)v[1], 1);
}

/* Fill up to a multiple; code is filled with s_nop. */
static bool align(struct clrx *c, const char *rest, bool power, unsigned size)
{
	const struct clrx_section *s = &c->sections.list[c->here];
	int64_t v[3] = { 0, 0, INT64_MAX };
	unsigned said;
	uint64_t unit, n;

	if (!read_numbers(c, rest, 3, v, &said))
		return false;
	if (power && v[0] >= 0 && v[0] < 24)
		v[0] = (int64_t)1 << v[0];
	if (!(said & 1) || v[0] <= 0 || v[0] & (v[0] - 1) || v[0] > CLRX_SECTION_BYTES)
		return clrx_error(c, NULL, "expected an alignment that is a power of two");
	unit = (uint64_t)v[0];
	n = (unit - s->size % unit) % unit;
	if (v[2] >= 0 && n > (uint64_t)v[2])
		return true;
	if (s->kind == SECTION_CODE && !(said & 2))
		return put_many(c, n % 4, 0, 1) && put_many(c, n - n % 4, 0xbf800000, 4);
	return put_many(c, n, (uint64_t)v[1] & ISA_ONES(8 * size), size);
}

static bool op_align(struct clrx *c, const char *rest) { return align(c, rest, false, 1); }
static bool op_balignw(struct clrx *c, const char *rest) { return align(c, rest, false, 2); }
static bool op_balignl(struct clrx *c, const char *rest) { return align(c, rest, false, 4); }
static bool op_p2align(struct clrx *c, const char *rest) { return align(c, rest, true, 1); }

static bool op_org(struct clrx *c, const char *rest)
{
	const struct clrx_section *s = &c->sections.list[c->here];
	struct clrx_value v;
	const char *at = rest;
	bool known, more;
	int64_t letter = 0;

	if (!clrx_expression(c, c->names.scope, &rest, &v, &known) || !clrx_comma(c, &rest, &more) ||
	    (more && (!clrx_number(c, &rest, &letter) || !clrx_ends(c, rest))))
		return false;
	if (!known)
		return clrx_error(c, at, "the place has a name that is not known yet");
	if (v.section == SECTION_NONE && s->kind == SECTION_ABSOLUTE && v.number <= CLRX_SECTION_BYTES) {
		c->sections.list[c->main.absolute].size = v.number;
		return true;
	}
	if ((v.section != SECTION_NONE && v.section != c->here) || v.number < s->size || v.number > CLRX_SECTION_BYTES)
		return clrx_error(c, at, "found 0x%" PRIx64 ", expected a place of this section that lies "
				  "ahead", v.number);
	return put_many(c, v.number - s->size, (uint8_t)letter, 1);
}

/* ---- other files ---- */

static bool fetch(struct clrx *c, const char **rest, char **name, const char **text, size_t *n)
{
	size_t length;

	if (!clrx_string(c, rest, name, &length))
		return false;
	if (!c->source->include)
		return clrx_error(c, NULL, "other files cannot be read here");
	if (c->source->include(c->source->context, *name, c->now.position.file, &c->arena, text, n, c->d))
		return true;
	if (c->d->kind == DIAG_INPUT || c->d->kind == DIAG_ENV)
		clrx_error(c, NULL, "the file \"%.100s\" cannot be read", *name);
	return false;
}

static bool op_include(struct clrx *c, const char *rest)
{
	const char *text;
	char *name;
	size_t n;

	return fetch(c, &rest, &name, &text, &n) && clrx_ends(c, rest) && clrx_open_file(c, name, text, n);
}

static bool op_incbin(struct clrx *c, const char *rest)
{
	int64_t v[2] = { 0, INT64_MAX };
	const char *text;
	char *name;
	size_t n;
	unsigned said;

	if (!fetch(c, &rest, &name, &text, &n))
		return false;
	rest = clrx_skip(rest);
	if (!read_numbers(c, *rest == ',' ? rest + 1 : rest, 2, v, &said))
		return false;
	if (v[0] < 0 || (uint64_t)v[0] > n || v[1] < 0)
		return clrx_error(c, NULL, "the file has %zu bytes", n);
	return clrx_emit(c, text + v[0], (uint64_t)v[1] < n - (size_t)v[0] ? (uint64_t)v[1] : n - (size_t)v[0]);
}

/* ---- symbols ---- */

static bool set(struct clrx *c, const char *rest, bool once, bool text)
{
	size_t n = clrx_path_length(rest);
	const char *p = clrx_skip(rest + n);

	if (!n || *p != ',')
		return clrx_error(c, rest, "expected SYMBOL, EXPRESSION");
	if (n == 1 && *rest == '.')
		return op_org(c, clrx_skip(p + 1));
	return clrx_assign(c, rest, n, p + 1, once, text);
}

static bool op_set(struct clrx *c, const char *rest) { return set(c, rest, false, false); }
static bool op_equiv(struct clrx *c, const char *rest) { return set(c, rest, true, false); }
static bool op_eqv(struct clrx *c, const char *rest) { return set(c, rest, true, true); }

static bool op_undef(struct clrx *c, const char *rest)
{
	size_t n = clrx_path_length(rest);
	struct clrx_symbol *s = clrx_find(c, c->names.scope, rest, n);

	if (s) {
		s->kind = SYMBOL_NONE;
		s->once = false;
	}
	return clrx_ends(c, rest + n);
}

/* [>[FIRST],] SYMBOL, … */
static bool op_enum(struct clrx *c, const char *rest)
{
	bool more = true;

	if (*rest == '>') {
		int64_t v = 0;
		rest = clrx_skip(rest + 1);
		if (*rest && *rest != ',' && !clrx_number(c, &rest, &v))
			return false;
		c->names.scope->enumeration = (uint64_t)v;
		if (!clrx_comma(c, &rest, &more))
			return false;
	}
	while (more && *rest) {
		size_t n = clrx_path_length(rest);
		struct clrx_value v = { c->names.scope->enumeration++, SECTION_NONE, HALF_WHOLE };
		if (!n)
			return clrx_error(c, rest, "found `%.20s`, expected a symbol's name", rest);
		if (!clrx_set_value(c, rest, n, v, true))
			return false;
		rest += n;
		if (!clrx_comma(c, &rest, &more))
			return false;
	}
	return true;
}

static bool op_scope(struct clrx *c, const char *rest)
{
	size_t n = clrx_path_length(rest);

	return clrx_ends(c, rest + n) && clrx_open_scope(c, rest, n);
}

static bool op_ends(struct clrx *c, const char *rest)
{
	return clrx_ends(c, rest) && clrx_close_scope(c);
}

static bool op_using(struct clrx *c, const char *rest)
{
	size_t n = clrx_path_length(rest);

	return clrx_ends(c, rest + n) && clrx_use_scope(c, rest, n, true);
}

static bool op_unusing(struct clrx *c, const char *rest)
{
	size_t n = clrx_path_length(rest);

	return clrx_ends(c, rest + n) && clrx_use_scope(c, rest, n, false);
}

/* NAME:FILE:COUNT, … */
static bool op_regvar(struct clrx *c, const char *rest)
{
	bool more = true;

	while (more) {
		size_t n = clrx_path_length(rest);
		const char *name = rest, *p = clrx_skip(rest + n), *file = *p == ':' ? clrx_skip(p + 1) : p;
		struct clrx_variable *v;
		struct clrx_symbol *s;
		int64_t count = 1;
		if (!n || *p != ':' || !strchr("svSV", *file) || !*file)
			return clrx_error(c, rest, "found `%.20s`, expected NAME:FILE:COUNT, as in sum:v:1 or base:s:2",
					  rest);
		p = clrx_skip(file + 1);
		if (*p == ':') {
			p++;
			if (!clrx_number(c, &p, &count))
				return false;
		}
		if (count < 1 || count > 128)
			return clrx_error(c, file, "found %" PRId64 " registers, expected 1 to 128", count);
		if (!(s = clrx_define(c, name, n, true)))
			return false;
		if (!(v = ARENA_NEW(&c->arena, struct clrx_variable)))
			return clrx_no_memory(c);
		*v = (struct clrx_variable){ .name = s->name, .vector = (*file | 32) == 'v', .count = (uint16_t)count,
					     .position = c->now.position };
		*c->last_variable = v;
		c->last_variable = &v->next;
		s->kind = SYMBOL_REGISTERS;
		s->registers = (struct clrx_registers){ 0, (uint16_t)count, v };
		rest = p;
		if (!clrx_comma(c, &rest, &more))
			return false;
	}
	return true;
}

static bool get(struct clrx *c, const char *rest, int64_t v)
{
	size_t n = clrx_path_length(rest);

	if (!n)
		return clrx_error(c, rest, "expected a symbol's name");
	return clrx_ends(c, rest + n) &&
	       clrx_set_value(c, rest, n, (struct clrx_value){ (uint64_t)v, SECTION_NONE, HALF_WHOLE }, false);
}

static bool op_get_64bit(struct clrx *c, const char *rest) { return get(c, rest, c->chosen.wide); }
static bool op_get_arch(struct clrx *c, const char *rest) { return get(c, rest, c->chosen.arch); }
static bool op_get_gpu(struct clrx *c, const char *rest) { return get(c, rest, c->chosen.gpu); }
static bool op_get_format(struct clrx *c, const char *rest) { return get(c, rest, c->chosen.format); }
static bool op_get_policy(struct clrx *c, const char *rest) { return get(c, rest, c->chosen.policy); }

enum { CLRX_VERSION = 109 };                    /* 0.1.9, whose language this is */
static bool op_get_version(struct clrx *c, const char *rest) { return get(c, rest, CLRX_VERSION); }
static bool op_get_driver(struct clrx *c, const char *rest) { return get(c, rest, 348000); }
static bool op_get_llvm(struct clrx *c, const char *rest) { return get(c, rest, c->chosen.llvm_version); }

static bool op_llvm_version(struct clrx *c, const char *rest)
{
	return clrx_number(c, &rest, &c->chosen.llvm_version) && clrx_ends(c, rest);
}

static bool op_policy(struct clrx *c, const char *rest)
{
	return clrx_number(c, &rest, &c->chosen.policy) && clrx_ends(c, rest);
}

/* ---- messages ---- */

static bool op_error(struct clrx *c, const char *rest)
{
	char *text;
	size_t n;

	if (*rest != '"')
		return clrx_error(c, NULL, "the program says .err here");
	return clrx_string(c, &rest, &text, &n) && clrx_error(c, NULL, "the program says: %.300s", text);
}

static bool op_fail(struct clrx *c, const char *rest)
{
	int64_t v;

	return clrx_number(c, &rest, &v) && (v >= 500 || clrx_error(c, NULL, "the program says .fail %" PRId64, v));
}

static bool op_abort(struct clrx *c, const char *rest)
{
	(void)rest;
	return clrx_error(c, NULL, "the program says .abort here");
}

static bool op_end(struct clrx *c, const char *rest)
{
	(void)rest;
	return c->ended = true;
}

/* Words that change nothing here: names for debuggers and linkers, notes for drivers, printed texts. */
static bool op_nothing(struct clrx *c, const char *rest)
{
	(void)c, (void)rest;
	return true;
}

/* ---- the binary ---- */

static bool choose_format(struct clrx *c, enum clrx_format format)
{
	if (c->kernels.count || c->chosen.code_begun)
		return clrx_error(c, NULL, "the binary's format belongs in front of kernels and code");
	c->chosen.format = format;
	c->chosen.separate_layout = format == FORMAT_AMD || format == FORMAT_AMDCL2;
	return true;
}

static bool op_amd(struct clrx *c, const char *rest) { return clrx_ends(c, rest) && choose_format(c, FORMAT_AMD); }
static bool op_amdcl2(struct clrx *c, const char *rest)
{
	return clrx_ends(c, rest) && choose_format(c, FORMAT_AMDCL2);
}
static bool op_gallium(struct clrx *c, const char *rest)
{
	return clrx_ends(c, rest) && choose_format(c, FORMAT_GALLIUM);
}
static bool op_rocm(struct clrx *c, const char *rest) { return clrx_ends(c, rest) && choose_format(c, FORMAT_ROCM); }
static bool op_rawcode(struct clrx *c, const char *rest) { return clrx_ends(c, rest) && choose_format(c, FORMAT_RAW); }

static bool op_format(struct clrx *c, const char *rest)
{
	static const struct { const char *name; bool (*choose)(struct clrx *c, const char *rest); } formats[] = {
		{ "amd", op_amd }, { "catalyst", op_amd }, { "amdcl2", op_amdcl2 }, { "gallium", op_gallium },
		{ "rocm", op_rocm }, { "raw", op_rawcode },
	};
	size_t n = clrx_name_length(rest);

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (clrx_word_is(rest, n, formats[i].name))
			return formats[i].choose(c, rest + n);
	return clrx_error(c, rest, "found `%.20s`, expected amd, amdcl2, gallium, rocm or raw", rest);
}

static bool op_navi(struct clrx *c, const char *rest)
{
	(void)rest;
	return clrx_error(c, NULL, "this is for AMD's RDNA chips (GCN 1.5), whose instructions are others; Warpbeam "
			  "has GCN 1.0 to 1.4: expected .gpu Tahiti, Bonaire, Tonga, GFX900, …");
}

static bool op_64bit(struct clrx *c, const char *rest) { return clrx_ends(c, rest) && (c->chosen.wide = true); }
static bool op_32bit(struct clrx *c, const char *rest) { return clrx_ends(c, rest) && !(c->chosen.wide = false); }

static bool op_hsalayout(struct clrx *c, const char *rest)
{
	if (c->chosen.format != FORMAT_AMDCL2 || c->chosen.code_begun)
		return clrx_error(c, NULL, ".hsalayout belongs behind .amdcl2, in front of all code");
	c->chosen.separate_layout = false;
	c->here = c->main.latest = c->main.text;
	return clrx_ends(c, rest);
}

static bool op_llvm10(struct clrx *c, const char *rest)
{
	(void)rest;
	return c->chosen.plain_entry = true;
}

/* .kcode KERNEL, …: code of several kernels; registers are then counted for all kernels alike. */
static bool op_kcode(struct clrx *c, const char *rest)
{
	(void)rest;
	return c->chosen.kcode = true;
}

#define NOTHING(name) { name, op_nothing }
static const struct operation {
	const char *name;
	bool (*run)(struct clrx *c, const char *rest);
} operations[] = {
	{ "32bit", op_32bit }, { "64bit", op_64bit }, { "abort", op_abort }, { "align", op_align }, { "amd", op_amd },
	{ "amd3", op_navi }, { "amdcl2", op_amdcl2 }, { "arch", clrx_choose_arch }, { "ascii", op_ascii },
	{ "asciz", op_asciz }, { "balign", op_align }, { "balignl", op_balignl }, { "balignw", op_balignw },
	{ "bss", op_bss }, { "bssdata", op_bss }, { "byte", op_byte }, { "data", op_data }, { "double", op_double },
	{ "end", op_end }, { "ends", op_ends }, { "endscope", op_ends }, { "enum", op_enum }, { "equ", op_set },
	{ "equiv", op_equiv }, { "eqv", op_eqv }, { "err", op_error }, { "error", op_error }, { "fail", op_fail },
	{ "fill", op_fill }, { "fillq", op_fillq }, { "float", op_float }, { "format", op_format },
	{ "gallium", op_gallium }, { "get_64bit", op_get_64bit }, { "get_arch", op_get_arch },
	{ "get_driver_version", op_get_driver }, { "get_format", op_get_format }, { "get_gpu", op_get_gpu },
	{ "get_llvm_version", op_get_llvm }, { "get_policy", op_get_policy }, { "get_version", op_get_version },
	{ "globaldata", op_rodata }, { "gpu", clrx_choose_gpu }, { "half", op_half }, { "hsalayout", op_hsalayout },
	{ "hword", op_short }, { "incbin", op_incbin }, { "include", op_include }, { "int", op_int },
	{ "fkernel", clrx_open_kernel }, { "kcode", op_kcode }, { "kernel", clrx_open_kernel },
	{ "llvm10binfmt", op_llvm10 },
	{ "llvm_version", op_llvm_version }, { "long", op_int }, { "main", op_main }, { "octa", op_octa },
	{ "offset", op_offset }, { "org", op_org }, { "p2align", op_p2align }, { "policy", op_policy },
	{ "quad", op_quad }, { "rawcode", op_rawcode }, { "regvar", op_regvar }, { "rocm", op_rocm },
	{ "rodata", op_rodata }, { "rwdata", op_data }, { "scope", op_scope }, { "section", op_section },
	{ "set", op_set }, { "short", op_short }, { "single", op_float }, { "skip", op_skip }, { "space", op_skip },
	{ "string", op_asciz }, { "string16", op_string16 }, { "string32", op_string32 }, { "string64", op_string64 },
	{ "struct", op_offset }, { "text", op_text }, { "undef", op_undef }, { "unusing", op_unusing },
	{ "using", op_using }, { "wave32", op_navi }, { "word", op_int },
	NOTHING("acl_version"), NOTHING("cf_call"), NOTHING("cf_cjump"), NOTHING("cf_end"), NOTHING("cf_jump"),
	NOTHING("cf_ret"), NOTHING("cf_start"), NOTHING("rvlin"), NOTHING("rvlin_once"), NOTHING("usereg"),
	NOTHING("arch_minor"), NOTHING("arch_stepping"), NOTHING("buggyfplit"),
	NOTHING("compile_options"), NOTHING("driver_info"), NOTHING("driver_version"), NOTHING("eflags"),
	NOTHING("extern"), NOTHING("file"), NOTHING("global"), NOTHING("globl"), NOTHING("gotsym"), NOTHING("ident"),
	NOTHING("inner"), NOTHING("kcodeend"), NOTHING("lflags"), NOTHING("line"), NOTHING("ln"), NOTHING("local"),
	NOTHING("md_version"), NOTHING("metadatav3"), NOTHING("newbinfmt"),
	NOTHING("nobuggyfplit"), NOTHING("nooldmodparam"), NOTHING("nosectdiffs"),
	NOTHING("nowave32"), NOTHING("oldmodparam"), NOTHING("print"), NOTHING("sbttl"), NOTHING("scratchsym"),
	NOTHING("size"), NOTHING("target"), NOTHING("title"), NOTHING("tripple"), NOTHING("triple"), NOTHING("type"),
	NOTHING("version"), NOTHING("warning"), NOTHING("weak"),
};

static bool unknown(struct clrx *c, const char *name, size_t n)
{
	struct near near = { .word = name, .n = n };

	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		near_try(&near, operations[i].name, strlen(operations[i].name));
	if (near.best)
		return clrx_error(c, NULL, "unknown pseudo-operation .%.*s; did you mean "
				  ".%.*s?", (int)(n < 40 ? n : 40),
				  name, (int)near.nbest, near.best);
	return clrx_error(c, NULL, "unknown pseudo-operation .%.*s (docs/reference/clrx.md has those of CLRX that are "
			  "read)", (int)(n < 40 ? n : 40), name);
}

bool clrx_op(struct clrx *c, const char *name, size_t n, const char *rest)
{
	bool mine;

	rest = clrx_skip(rest);
	if (!clrx_config_op(c, name, n, rest, &mine))
		return false;
	if (mine)
		return true;
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (clrx_word_is(name, n, operations[i].name))
			return operations[i].run(c, rest);
	return unknown(c, name, n);
}
