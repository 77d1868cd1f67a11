/* The debugger's commands that print state and change nothing. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/debug.h"

bool debug_current(const struct debug *g, struct wb_warp *w)
{
	if (wb_launch_find_warp(g->launch, g->block, g->warp, w))
		return true;
	complain(WB_USAGE, "b%u w%u is not resident; 'info warps' lists those that are", g->block, g->warp);
	return false;
}

bool debug_warp_name(const struct debug *g, const char *text, uint32_t *block, uint32_t *warp)
{
	char end;
	*block = g->block;
	if (sscanf(text, "b%u.w%u%c", block, warp, &end) == 2)
		return true;
	*block = g->block;
	if (sscanf(text, "w%u%c", warp, &end) == 1)
		return true;
	complain(WB_USAGE, "found '%s', expected a warp such as w3 or b0.w3", text);
	return false;
}

bool debug_warp(struct debug *g, const char *rest)
{
	uint32_t block, warp;
	struct wb_warp w;
	if (!debug_warp_name(g, rest, &block, &warp))
		return false;
	if (!wb_launch_find_warp(g->launch, block, warp, &w)) {
		complain(WB_USAGE, "b%u w%u is not resident; 'info warps' lists those that are", block, warp);
		return false;
	}
	g->block = block;
	g->warp = warp;
	debug_where(g);
	return true;
}

/* ---- values ---- */

/* Bits as x, d, u or f. */
static void value64(uint64_t v, char format)
{
	double d;

	memcpy(&d, &v, sizeof d);
	switch (format) {
	case 'd': printf(" %20" PRId64, (int64_t)v); break;
	case 'u': printf(" %20" PRIu64, v); break;
	case 'f': printf(" %24.17g", d); break;
	default: printf(" %016" PRIx64, v);
	}
}

static void value32(uint32_t v, char format)
{
	float f;

	memcpy(&f, &v, sizeof f);
	switch (format) {
	case 'd': printf(" %11" PRId32, (int32_t)v); break;
	case 'u': printf(" %10" PRIu32, v); break;
	case 'f': printf(" %14.8g", (double)f); break;
	default: printf(" %08" PRIx32, v);
	}
}

static void value(uint64_t v, unsigned bits, char format)
{
	if (bits > 32)
		value64(v, format);
	else
		value32((uint32_t)v, format);
}

static bool slice(const char *text, unsigned lanes, unsigned *first, unsigned *last)
{
	char end;
	*first = 0;
	*last = lanes - 1;
	if (!*text)
		return true;
	if (sscanf(text, "[%u:%u]%c", first, last, &end) != 2) {
		if (sscanf(text, "[%u]%c", first, &end) != 1 && strcmp(text + strcspn(text, "]"), "]"))
			return false;
		*last = *first;
	}
	return *first <= *last && *last < lanes;
}

/* The i-th register of a range, "s[4:7]", longer than a value. */
static bool range_part(const struct debug *g, const char *text, unsigned i, char name[16], struct wb_register *out)
{
	unsigned first, last;
	int letters = (int)strcspn(text, "[");
	char range[16];
	if (sscanf(text + letters, "[%5u:%5u]", &first, &last) != 2 || first + i > last)
		return false;
	snprintf(name, 16, "%.*s%u", letters, text, first + i);
	snprintf(range, sizeof range, "%.*s[%u:%u]", letters, text, first + i, first + i);
	return wb_launch_register(g->launch, g->block, g->warp, range, out, NULL) == WB_OK;
}

/* A register by name; part i of "v0.xy", or of a vector without parts all four. False: unknown register, or no further
 * part. */
static bool register_part(const struct debug *g, const char *text, size_t n, unsigned i, char name[16],
			  struct wb_register *out)
{
	const char *bracket = memchr(text, '[', n);
	const char *dot = memchr(text, '.', n), *parts = dot ? dot + 1 : "xyzw";
	size_t count = dot ? n - (size_t)(parts - text) : 4, bare = dot ? (size_t)(dot - text) : n;
	snprintf(name, 16, "%.*s", (int)n, text);
	if (i == 0 && !dot && wb_launch_register(g->launch, g->block, g->warp, name, out, NULL) == WB_OK)
		return true;
	if (bracket)
		return wb_launch_register(g->launch, g->block, g->warp, name, out, NULL) != WB_OK &&
		       range_part(g, text, i, name, out);
	snprintf(name, 16, "%.*s.%c", (int)bare, text, i < count ? parts[i] : ' ');
	return i < count && strchr("xyzw", parts[i]) &&
	       wb_launch_register(g->launch, g->block, g->warp, name, out, NULL) == WB_OK;
}

static void print_lanes(const char *name, const struct wb_register *r, unsigned first, unsigned last, char format)
{
	unsigned bits = r->scope == WB_SCOPE_MASK ? 32 : r->bits, row = bits > 32 ? 4 : 8;
	for (unsigned i = first; i <= last; i++) {
		if ((i - first) % row == 0)
			printf("%s%s[%u]", i > first ? "\n" : "", name, i);
		value(r->value[i], bits, format);
	}
	putchar('\n');
}

/* The value of a register of the whole warp, unless lanes are asked for. */
static bool print_register(const struct debug *g, const char *text, size_t n, char format)
{
	struct wb_machine size;
	struct wb_warp w;
	struct wb_register r;
	uint64_t other;
	char name[16];
	unsigned first, last, part = 0;
	wb_launch_machine(g->launch, &size);
	if (!debug_current(g, &w))
		return false;
	bool good = slice(text + n, size.lanes, &first, &last);
	for (; good && register_part(g, text, n, part, name, &r); part++) {
		if (text[n] || r.scope == WB_SCOPE_LANES) {
			print_lanes(name, &r, first, last, format);
			continue;
		}
		printf("%s =", name);
		value(r.one, r.bits, format);
		putchar('\n');
	}
	if (part)
		return true;
	const char *such = wb_launch_value(g->launch, "$r3", g->block, g->warp, &other, NULL) == WB_OK ? "$r3" : "v3";
	complain(WB_USAGE, "found '%s', expected a register and lanes below %u, such as %s[0:7]", text, size.lanes,
		 such);
	return false;
}

/* The length of a register's name, perhaps with lanes, with nothing behind. 0: an expression. */
static size_t register_name(const struct debug *g, const char *text)
{
	struct wb_register r;
	char name[16];
	size_t n = *text == '$', end, range;
	while (isalnum((unsigned char)text[n]) || text[n] == '.' || text[n] == '_')
		n++;
	range = n + strcspn(text + n, "]") + 1;
	if (text[n] == '[' && range <= strlen(text) && register_part(g, text, range, 0, name, &r))
		n = range;
	end = text[n] == '[' ? n + strcspn(text + n, "]") + 1 : n;
	bool named = *text == '$' || register_part(g, text, n, 0, name, &r);
	return named && end >= strlen(text) ? n : 0;
}

/* ---- variables of the source ---- */

static void variable_value(const struct wb_variable *v, unsigned lane, char format, char text[32])
{
	uint64_t wide = v->value[lane];
	uint32_t word = (uint32_t)wide;
	float f;
	double d;
	memcpy(&f, &word, sizeof f);
	memcpy(&d, &wide, sizeof d);
	if (format == 'x' || (!format && v->kind == WB_VALUE_POINTER))
		snprintf(text, 32, "0x%" PRIx64, v->bits < 64 ? wide & ((UINT64_C(1) << v->bits) - 1) : wide);
	else if (format == 'f' || (!format && v->kind == WB_VALUE_FLOAT))
		snprintf(text, 32, v->bits > 32 ? "%.17g" : "%.9g", v->bits > 32 ? d : (double)f);
	else if (format == 'd' || (!format && v->kind == WB_VALUE_SIGNED))
		snprintf(text, 32, "%" PRId64, (int64_t)wide);
	else
		snprintf(text, 32, "%" PRIu64, v->bits < 64 ? wide & ((UINT64_C(1) << v->bits) - 1) : wide);
}

/* Lanes in rows of eight: "-" for a lane that does not execute. */
static void variable_lanes(const char *path, const struct wb_variable *v, unsigned lanes, char format)
{
	enum { ROW = 8 };
	char text[32];
	unsigned widest = 1;
	for (unsigned i = 0; i < lanes; i++)
		if (v->lanes >> i & 1) {
			variable_value(v, i, format, text);
			widest = strlen(text) > widest ? (unsigned)strlen(text) : widest;
		}
	for (unsigned i = 0; i < lanes; i++) {
		if (i % ROW == 0)
			printf("%s@%u%*s", path, i, i < 10 ? 2 : 1, "");
		variable_value(v, i, format, text);
		printf(" %*s", (int)widest, v->lanes >> i & 1 ? text : "-");
		if (i % ROW == ROW - 1 || i + 1 == lanes)
			putchar('\n');
	}
}

enum { PARTS_MOST = 64, NESTED_MOST = 4 };

/* Have all lanes with a value the same value? */
static bool is_one_value(const struct wb_variable *v)
{
	unsigned low = v->lanes ? (unsigned)__builtin_ctzll(v->lanes) : 0;
	for (unsigned i = low + 1; i < WB_LANES; i++)
		if (v->lanes >> i & 1 && v->value[i] != v->value[low])
			return false;
	return v->lanes;
}

/* A variable with a value in one line: the value of all lanes, or of the first few lanes. */
static void print_line(const char *path, const struct wb_variable *v, char format)
{
	enum { LANES_SHOWN = 8 };
	unsigned left_over = (unsigned)__builtin_popcountll(v->lanes);
	char text[32];
	printf("%s =", path);
	for (unsigned i = 0, printed = 0; i < WB_LANES && printed < (is_one_value(v) ? 1 : LANES_SHOWN); i++)
		if (v->lanes >> i & 1) {
			variable_value(v, i, format, text);
			printf(" %s", text);
			printed++;
		}
	if (is_one_value(v) && v->scope == WB_SCOPE_LANES && left_over > 1)
		printf(" in %u lanes", left_over);
	printf("%s  (%s, %s)\n", !is_one_value(v) && left_over > LANES_SHOWN ? " …" : "", v->type, v->place);
}

/* The elements of an array, eight in a row, if all lanes have the same values. */
static bool print_elements(const struct debug *g, const char *path, const struct wb_variable *array, char format,
			   unsigned shown_most)
{
	enum { ROW = 8 };
	struct wb_variable v;
	char part[160], text[32];
	for (int print = 0; print < 2; print++)
		for (unsigned i = 0; i < array->parts && i < shown_most; i++) {
			if (!wb_launch_variable_part(g->launch, g->block, g->warp, path, i, part, sizeof part) ||
			    wb_launch_variable(g->launch, g->block, g->warp, part, &v, NULL) != WB_OK || v.parts ||
			    !is_one_value(&v))
				return false;
			variable_value(&v, (unsigned)__builtin_ctzll(v.lanes), format, text);
			if (print && i % ROW == 0)
				printf("%s%s =", i ? "\n" : "", part);
			if (print)
				printf(" %s", text);
		}
	printf("%s  (%s, %s)\n", array->parts > shown_most ? " …" : "", array->type, v.place);
	return true;
}

/* A variable on one line, or a row for each eight lanes; its parts one after another. */
static bool print_variable(const struct debug *g, const char *path, char format, bool brief, unsigned nested)
{
	struct wb_machine size;
	struct wb_variable v;
	struct wb_diag d;
	char text[160];
	wb_launch_machine(g->launch, &size);
	if (wb_launch_variable(g->launch, g->block, g->warp, path, &v, &d) != WB_OK) {
		complain_diag(&d);
		return false;
	}
	if (v.is_array && v.lanes && print_elements(g, path, &v, format, brief ? 8 : PARTS_MOST))
		return true;
	for (unsigned i = 0; v.lanes && i < v.parts; i++) {
		if (i == PARTS_MOST || nested == NESTED_MOST || (brief && i == 4)) {
			printf("%s … (%s, %u parts)\n", path, v.type, v.parts);
			break;
		}
		if (wb_launch_variable_part(g->launch, g->block, g->warp, path, i, text, sizeof text) &&
		    !print_variable(g, text, format, brief, nested + 1))
			return false;
	}
	if (v.parts && v.lanes)
		return true;
	if (!v.lanes) {
		printf("%s: %s\n", path, v.place);
	} else if (brief || nested || is_one_value(&v)) {
		print_line(path, &v, format);
	} else {
		printf("%s: %s, %s, by lane\n", path, v.type, v.place);
		variable_lanes(path, &v, size.lanes, format);
	}
	return true;
}

static bool info_locals(const struct debug *g)
{
	struct wb_warp w;
	const char *name;
	unsigned n = 0;
	if (!debug_current(g, &w))
		return false;
	for (; (name = wb_launch_variable_name(g->launch, w.pc, n)); n++)
		if (!print_variable(g, shown(name), 0, true, 0))
			return false;
	if (!n)
		printf("no variable of a source is in scope at 0x%04x\n", w.pc);
	return true;
}

bool debug_print(struct debug *g, const char *rest)
{
	char format = 0;
	uint64_t v;
	struct wb_diag d;
	if (*rest == '/') {
		format = rest[1];
		rest += 2 + (format != '\0' ? strspn(rest + 2, " ") : 0);
	}
	if ((format && !strchr("xduf", format)) || !*rest) {
		complain(WB_USAGE, "expected print [/x|d|u|f] and a variable, a register or an expression");
		return false;
	}
	size_t path = wb_launch_variable_path(g->launch, rest);
	if (path && !rest[path])
		return print_variable(g, rest, format, false, 0);
	format = format ? format : 'x';
	size_t name = register_name(g, rest);
	if (name)
		return print_register(g, rest, name, format);
	if (wb_launch_value(g->launch, rest, g->block, g->warp, &v, &d) != WB_OK) {
		complain_diag(&d);
		return false;
	}
	printf("%s =", rest);
	if (format == 'x')
		printf(" 0x%" PRIx64 "\n", v);
	else
		value(v, v >> 32 ? 64 : 32, format), putchar('\n');
	return true;
}

bool debug_examine(struct debug *g, const char *rest)
{
	unsigned n = 1;
	char format[4] = "x", space;
	int used = 0;
	unsigned addr;
	if (*rest == '/' && sscanf(rest, "/%u%3[xdufw]%n", &n, format, &used) < 1)
		used = 0;
	rest += used;
	rest += strspn(rest, " ");
	if (!n || sscanf(rest, "%c[%i]", &space, (int *)&addr) != 2 || !strchr("sg", space)) {
		complain(WB_USAGE, "expected x/COUNT[x|d|u|f] s[ADDRESS] or g[ADDRESS]");
		return false;
	}
	for (unsigned i = 0; i < n; i++) {
		char expression[32];
		uint64_t v;
		struct wb_diag d;
		snprintf(expression, sizeof expression, "%c[0x%x]", space, addr + 4 * i);
		if (wb_launch_value(g->launch, expression, g->block, g->warp, &v, &d) != WB_OK) {
			if (i % 4)
				putchar('\n');
			complain_diag(&d);
			return false;
		}
		if (i % 4 == 0)
			printf("%c[0x%04x]", space, addr + 4 * i);
		value(v, 32, format[0]);
		if (i % 4 == 3 || i + 1 == n)
			putchar('\n');
	}
	return true;
}

/* ---- info ---- */

static const char *wait_text(const struct wb_warp *w, char *text, size_t size)
{
	static const char *const names[] = {"", "barrier", "lock", "done", "faulted"};
	if (w->waits == WB_WAIT_BARRIER)
		snprintf(text, size, "barrier %u", w->waits_for);
	else
		snprintf(text, size, "%s", names[w->waits]);
	return text;
}

static bool info_warps(const struct debug *g)
{
	struct wb_machine size;
	struct wb_warp w;
	struct wb_code code;
	char waits[24];
	wb_launch_machine(g->launch, &size);
	for (uint32_t mp = 0; mp < size.mps; mp++)
		for (uint32_t slot = 0; slot < size.slots; slot++) {
			if (!wb_launch_warp(g->launch, mp, slot, &w))
				continue;
			bool known = wb_launch_code(g->launch, w.pc, &code);
			wait_text(&w, waits, sizeof waits);
			printf("%c mp%u slot %02u  b%u w%u  0x%04x  lanes 0x%0*" PRIx64 "  depth %u  issues %" PRIu64
			       "  %s  %s\n",
			       w.block == g->block && w.warp == g->warp ? '*' : ' ', mp, slot, w.block, w.warp, w.pc,
			       (int)size.lanes / 4, w.active, w.depth, w.issues, known ? code.text : "",
			       *waits ? waits : w.stall ? w.stall : "");
		}
	return true;
}

static bool info_stack(const struct debug *g)
{
	struct wb_warp w;
	struct wb_machine size;
	struct wb_stack e;
	struct wb_code code;
	if (!debug_current(g, &w))
		return false;
	wb_launch_machine(g->launch, &size);
	for (unsigned level = 0; wb_launch_stack(g->launch, w.mp, w.slot, level, &e); level++) {
		bool known = wb_launch_code(g->launch, e.pc, &code);
		printf("%u  %-8s  0x%04x%s%s  mask 0x%0*" PRIx64 "\n", level, e.name, e.pc,
		       known && code.label ? " " : "", known && code.label ? shown(code.label) : "",
		       (int)size.lanes / 4, e.mask);
	}
	if (!w.depth)
		printf("the stack of b%u w%u is empty\n", w.block, w.warp);
	return true;
}

static bool info_locks(const struct debug *g)
{
	struct wb_warp w;
	struct wb_lock k;
	unsigned n = 0;
	if (!debug_current(g, &w))
		return false;
	for (; wb_launch_lock(g->launch, w.mp, w.slot, n, &k); n++)
		printf("s[0x%04x] held by w%u, waiting 0x%" PRIx64 "\n", k.addr, k.owner, k.waiters);
	if (!n)
		printf("no lock is held in block %u\n", w.block);
	return true;
}

static bool info_barriers(const struct debug *g)
{
	struct wb_warp w;
	struct wb_barrier bar;
	bool any = false;
	if (!debug_current(g, &w))
		return false;
	for (unsigned n = 0; n < WB_BARRIERS; n++) {
		wb_launch_barrier(g->launch, w.mp, w.slot, n, &bar);
		if (bar.arrived)
			printf("barrier %u: %u of %u arrived, waiting 0x%" PRIx64 "\n", n, bar.arrived, bar.expected,
			       bar.waiting);
		any |= bar.arrived != 0;
	}
	if (!any)
		printf("no warp waits at a barrier of block %u\n", w.block);
	return true;
}

static bool info_occupancy(const struct debug *g)
{
	const struct wb_report *r = wb_launch_report(g->launch);
	const struct wb_occupancy *o = &r->occupancy;
	if (!r->launch.stage)
		printf("%u blocks and ", o->blocks);
	printf("%u warps fit a multiprocessor; limits in %s: blocks %u, warps %u, registers %u, shared %u",
	       o->warps, r->launch.stage ? "warps" : "blocks", o->limit_blocks, o->limit_warps, o->limit_regs,
	       o->limit_smem);
	if (r->launch.warp_registers)
		printf(", warp registers %u", o->limit_warp_regs);
	putchar('\n');
	return true;
}

static bool info_break(const struct debug *g)
{
	struct wb_break b;
	unsigned n = 0;
	for (; wb_launch_breaks(g->launch, n, &b); n++)
		printf("%d  %-10s  %s  hit %" PRIu64 "\n", b.id, b.kind == WB_STOP_WATCH ? "watch" : "breakpoint",
		       b.text, b.hits);
	if (!n)
		printf("no breakpoints\n");
	return true;
}

static bool info_where(const struct debug *g)
{
	debug_where(g);
	return true;
}

bool debug_bt(struct debug *g, const char *rest)
{
	(void)rest;
	return info_where(g) && info_stack(g);
}

bool debug_info(struct debug *g, const char *rest)
{
	static const struct { const char *name; bool (*show)(const struct debug *g); } topics[] = {
		{"warps", info_warps}, {"stack", info_stack}, {"locks", info_locks}, {"barriers", info_barriers},
		{"occupancy", info_occupancy}, {"break", info_break}, {"where", info_where}, {"locals", info_locals},
	};
	for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
		if (!strcmp(topics[i].name, rest))
			return topics[i].show(g);
	complain(WB_USAGE, "found '%s', expected info locals, warps, stack, locks, barriers, occupancy, break or where",
		 rest);
	return false;
}

/* The stall of the next issue, in words. */
static const char *can_go_on(const struct wb_warp *w)
{
	for (unsigned i = 0; w->stall && wb_stall_name(i); i++)
		if (!strcmp(w->stall, wb_stall_name(i)) && strcmp(w->stall, "issued"))
			return wb_stall_text(i);
	return "can go on";
}

/* The awaited results of the warp's next instruction, each with its producer and the cycle of its arrival. */
static void awaits(const struct debug *g, const struct wb_warp *w)
{
	struct wb_code code;
	struct wb_awaited a;
	if (!wb_launch_awaited(g->launch, w->mp, w->slot, 0, &a))
		return;
	if (wb_launch_code(g->launch, w->pc, &code))
		printf("  next 0x%04x %s\n", w->pc, shown(code.text));
	for (unsigned i = 0; wb_launch_awaited(g->launch, w->mp, w->slot, i, &a); i++) {
		bool made = a.known && wb_launch_code(g->launch, a.producer, &code);
		printf("  %s is %s in cycle %" PRIu64, a.name[0] ? a.name : "the last instruction",
		       a.name[0] ? "there" : "over", a.ready_at);
		if (made)
			printf(", %s 0x%04x %s", a.name[0] ? "from" : "at", a.producer, shown(code.text));
		if (made && code.line)
			printf(" (line %d)", code.line);
		printf("; %s\n", wb_stall_name(a.reason));
	}
}

static void say_wait(struct debug *g, const struct wb_warp *w)
{
	struct wb_barrier bar;
	switch (w->waits) {
	case WB_WAIT_NONE:
		printf("%s; it issued %" PRIu64 " times", can_go_on(w), w->issues);
		if (w->acted)
			printf(", last in cycle %" PRIu64, w->action.cycle);
		putchar('\n');
		awaits(g, w);
		break;
	case WB_WAIT_BARRIER:
		wb_launch_barrier(g->launch, w->mp, w->slot, w->waits_for, &bar);
		printf("waits at barrier %u: %u of %u warps have arrived\n", w->waits_for, bar.arrived, bar.expected);
		break;
	case WB_WAIT_LOCK: {
		struct wb_lock k;
		printf("waits for a lock:");
		for (unsigned i = 0; wb_launch_lock(g->launch, w->mp, w->slot, i, &k); i++)
			printf(" s[0x%x] is held by w%u", k.addr, k.owner);
		putchar('\n');
		break;
	}
	case WB_WAIT_DONE:
		printf("is done\n");
		break;
	case WB_WAIT_FAULT:
		printf("has faulted at 0x%04x\n", w->pc);
		break;
	}
}

bool debug_why(struct debug *g, const char *rest)
{
	struct wb_warp w;
	uint32_t block = g->block, warp = g->warp;
	if (*rest && !debug_warp_name(g, rest, &block, &warp))
		return false;
	if (!wb_launch_find_warp(g->launch, block, warp, &w)) {
		printf("b%u w%u is not resident: it has not started, or its block has ended\n", block, warp);
		return true;
	}
	printf("b%u w%u ", block, warp);
	say_wait(g, &w);
	return true;
}

/* ---- code ---- */

bool debug_dis(struct debug *g, const char *rest)
{
	struct wb_warp w;
	struct wb_code code;
	char place[64] = "pc";
	unsigned n = 8;
	uint64_t pc;
	struct wb_diag d;
	sscanf(rest, "%63s %u", place, &n);
	if (wb_launch_value(g->launch, place, g->block, g->warp, &pc, &d) != WB_OK) {
		complain_diag(&d);
		return false;
	}
	bool here = wb_launch_find_warp(g->launch, g->block, g->warp, &w);
	for (; n && wb_launch_code(g->launch, (uint32_t)pc, &code); n--, pc += code.length) {
		if (code.label)
			printf("%s:\n", shown(code.label));
		printf("%s 0x%04x  %s\n", here && w.pc == pc ? "=>" : "  ", code.pc, shown(code.text));
	}
	return true;
}

/* The start of the line-th line of a text, 1-based, or NULL. */
static const char *line_start(const char *text, int line)
{
	while (text && --line > 0) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return text && *text ? text : NULL;
}

bool debug_list(struct debug *g, const char *rest)
{
	enum { LINES = 10 };
	const char *source = wb_launch_source(g->launch), *text;
	struct wb_warp w;
	struct wb_code code;
	int here = 0, first;
	if (!source) {
		complain(WB_USAGE, "no source: the program is no assembly file; 'disassemble' shows its instructions");
		return false;
	}
	if (wb_launch_find_warp(g->launch, g->block, g->warp, &w) && wb_launch_code(g->launch, w.pc, &code))
		here = code.line;
	first = *rest ? atoi(rest) : here > LINES / 2 ? here - LINES / 2 : 1;
	text = line_start(source, first < 1 ? 1 : first);
	for (int line = first < 1 ? 1 : first; text && *text && line < first + LINES; line++) {
		size_t n = strcspn(text, "\n");
		printf("%s %4d  ", line == here ? "=>" : "  ", line);
		show_lines(stdout, text, n);
		putchar('\n');
		text += n + (text[n] == '\n');
	}
	return true;
}
