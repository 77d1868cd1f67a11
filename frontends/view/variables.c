/* A variable is read for the selected warp, at the pc of the warp's next instruction (wb_launch_variable). */
#include "frontends/view/variables.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static char format_of(enum wb_value_kind kind)
{
	static const char formats[] = {[WB_VALUE_UNSIGNED] = 'u', [WB_VALUE_SIGNED] = 'd', [WB_VALUE_FLOAT] = 'f',
				       [WB_VALUE_POINTER] = 'x'};
	return formats[kind];
}

bool variable_watched(const struct model *m, struct watched *w, uint64_t *value)
{
	const struct wb_launch *l = m->player->launch;
	const char *name = w->row.name;
	struct wb_variable v;
	struct wb_diag d;
	if (wb_launch_variable_path(l, name) != strlen(name))
		return false;
	w->mask = w->one = w->valid = false;
	w->bits = 32;
	if (wb_launch_variable(l, m->selected->block, m->selected->warp, name, &v, &d) != WB_OK) {
		snprintf(w->note, sizeof w->note, "%.150s", d.text);
		return true;
	}
	w->valid = v.lanes && !v.parts;
	w->one = v.scope == WB_SCOPE_WARP;
	w->bits = v.bits > 32 ? 64 : 32;
	w->lanes = v.lanes;
	w->format = w->row.format == FORMAT_BY_TYPE ? format_of(v.kind) : w->row.format;
	if (v.parts)
		snprintf(w->note, sizeof w->note, "%s: watch one of its %u parts", v.type, v.parts);
	else if (!v.lanes)
		snprintf(w->note, sizeof w->note, "%s", v.place);
	else
		snprintf(w->note, sizeof w->note, "%.60s, %.90s", v.type, v.place);
	memcpy(value, v.value, sizeof v.value);
	if (w->one && v.lanes)
		value[0] = v.value[__builtin_ctzll(v.lanes)];
	return true;
}

/* Whether a name may begin at a character: not inside of a word, nor behind a point or an arrow. */
static bool begins_name(const char *text, int at)
{
	unsigned char before = at ? (unsigned char)text[at - 1] : ' ';
	bool is_inside = isalnum(before) || before == '_' || before == '.' ||
			 (before == '>' && at > 1 && text[at - 2] == '-');
	return (isalpha((unsigned char)text[at]) || text[at] == '_') && !is_inside;
}

/* The path at a character of a line, without what stands behind the line's end. */
static int path_at(const struct model *m, const char *text, int n, int at, char path[WATCH_TEXT])
{
	char rest[200];
	snprintf(rest, sizeof rest, "%.*s", n - at, text + at);
	size_t length = begins_name(text, at) ? wb_launch_variable_path(m->player->launch, rest) : 0;
	if (length >= WATCH_TEXT)
		return 0;
	memcpy(path, rest, length);
	path[length] = '\0';
	return (int)length;
}

/* Comments have names too, and no values. */
static int code_length(const char *text, int n)
{
	for (int i = 0; i + 1 < n; i++)
		if (text[i] == '/' && (text[i + 1] == '/' || text[i + 1] == '*'))
			return i;
	return n;
}

void variables_in_line(const struct model *m, const char *text, int n,
		       void (*add)(struct model *m, const char *name, size_t n, char format), struct model *to)
{
	const struct wb_warp *w = m->selected;
	n = code_length(text, n);
	for (int at = 0, length; at < n; at += length ? length : 1) {
		char path[WATCH_TEXT];
		struct wb_variable v;
		length = path_at(m, text, n, at, path);
		if (length && wb_launch_variable(m->player->launch, w->block, w->warp, path, &v, NULL) == WB_OK &&
		    v.lanes && !v.parts)
			add(to, path, strlen(path), FORMAT_BY_TYPE);
	}
}

static void value_text(const struct wb_variable *v, unsigned lane, char text[32])
{
	uint64_t wide = v->value[lane];
	uint32_t word = (uint32_t)wide;
	float f;
	double d;
	memcpy(&f, &word, sizeof f);
	memcpy(&d, &wide, sizeof d);
	switch (v->kind) {
	case WB_VALUE_FLOAT: snprintf(text, 32, "%.6g", v->bits > 32 ? d : (double)f); break;
	case WB_VALUE_SIGNED: snprintf(text, 32, "%" PRId64, (int64_t)wide); break;
	case WB_VALUE_POINTER: snprintf(text, 32, "0x%" PRIx64, wide); break;
	default: snprintf(text, 32, "%" PRIu64, wide);
	}
}

/* The value that all lanes have, or those of the first eight lanes. */
static void values_text(const struct wb_variable *v, char *text, size_t size)
{
	enum { SHOWN = 8 };
	unsigned low = (unsigned)__builtin_ctzll(v->lanes), shown = 0;
	size_t n = 0;
	bool same = true;
	for (unsigned i = low; i < WB_LANES; i++)
		same &= !(v->lanes >> i & 1) || v->value[i] == v->value[low];
	for (unsigned i = low; i < WB_LANES && n < size && shown < (same ? 1 : SHOWN); i++)
		if (v->lanes >> i & 1) {
			char one[32];
			value_text(v, i, one);
			n += (size_t)snprintf(text + n, size - n, "%s%s", shown ? " " : "", one);
			shown++;
		}
	if (!same && n < size && __builtin_popcountll(v->lanes) > SHOWN)
		snprintf(text + n, size - n, " …");
	else if (same && n < size && v->scope == WB_SCOPE_LANES && v->lanes & (v->lanes - 1))
		snprintf(text + n, size - n, " in %d lanes", __builtin_popcountll(v->lanes));
}

bool variable_at(const struct model *m, const char *text, int n, int column, char *out, size_t size)
{
	char path[WATCH_TEXT], values[120];
	struct wb_variable v;
	struct wb_diag d;
	int length;
	n = code_length(text, n);
	for (int at = 0; at <= column && at < n; at += length ? length : 1) {
		length = path_at(m, text, n, at, path);
		if (!length || column >= at + length)
			continue;
		if (wb_launch_variable(m->player->launch, m->selected->block, m->selected->warp, path, &v, &d) != WB_OK)
			snprintf(out, size, "%s", d.text);
		else if (!v.lanes)
			snprintf(out, size, "%s: %s", path, v.place);
		else if (v.parts)
			snprintf(out, size, "%s: %s of %u parts (:watch %s… for one)", path, v.type, v.parts, path);
		else {
			values_text(&v, values, sizeof values);
			snprintf(out, size, "%s = %s (%s, %s)", path, values, v.type, v.place);
		}
		return true;
	}
	return false;
}
