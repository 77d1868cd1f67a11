/* Text to programs, for instruction sets with a table for the assembler. Lines become items, each an instruction's text
 * or literal words; at the end of a kernel labels are sorted and items are laid out, where a short instruction may be
 * widened so that the next falls on an allowed address; then all are encoded. So an instruction with a label is parsed
 * twice: for its length with the label at 0, and for its word once labels have addresses. */
#include "core/isa/asm.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/base/near.h"
#include "core/isa/index.h"
#include "core/isa/parse.h"

enum { CODE_MAX = 1 << 24 };   /* bytes of a kernel: more than any address field reaches */
enum { PARAMS_MAX = 4096, MEMORY_MAX = 1 << 26 };    /* bytes of all parameters; of a program's memory */

/* An instruction of the current kernel. */
struct item {
	const char *text;           /* NULL: words as they are, in `code` */
	int line, column;
	uint32_t pc;
	uint8_t length;
	bool wide;                  /* wide for alignment */
	struct isa_code code;       /* with 0 for labels without an address yet */
};

/* A label names the next item. */
struct place {
	const char *name;
	size_t item;
	int line, column;
};

struct assembler {
	const struct isa_ops *isa;
	struct isa_target target;
	struct asm_program *out;
	struct asm_kernel *kernel;
	struct item *items;         /* capacity for item_capacity */
	struct place *places;
	size_t nitems, item_capacity, nplaces;
	const char *line_start;
	int line;
	bool in_comment, named, chip_forced, mode_forced;
	struct diag *d;
};

static bool no_memory(struct assembler *as)
{
	return diag_set(as->d, DIAG_ENV, "out of memory");
}

static bool error_at(struct assembler *as, const char *p, const char *what)
{
	return diag_text(as->d, as->line, (int)(p - as->line_start) + 1, "%s", what);
}

/* Append an element to an array in the arena; the capacity is the power of two at or above n. */
static void *append(struct assembler *as, void **array, size_t *n, size_t element)
{
	if ((*n & (*n - 1)) == 0) {
		void *bigger = arena_alloc(&as->out->arena, (*n ? *n * 2 : 1) * element, 16);
		if (!bigger)
			return NULL;
		if (*n)
			memcpy(bigger, *array, *n * element);
		*array = bigger;
	}
	return (char *)*array + (*n)++ * element;
}
#define APPEND(as, array, n) ((__typeof__(array))append(as, (void **)&(array), &(n), sizeof(*(array))))

/* Items are many and are needed until the kernel is closed: the next kernel uses the same storage again. */
static struct item *new_item(struct assembler *as, struct item it)
{
	if (as->nitems == as->item_capacity) {
		size_t capacity = as->item_capacity ? as->item_capacity * 2 : 256;
		struct item *bigger = reallocarray(as->items, capacity, sizeof(*bigger));
		if (!bigger)
			return no_memory(as), NULL;
		as->items = bigger;
		as->item_capacity = capacity;
	}
	as->items[as->nitems] = it;
	return &as->items[as->nitems++];
}

static bool is_name(char c)
{
	return (isa_is_letter(c) && c != '$') || c == '.';
}

static const char *skip(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* A copy of the text without blanks at the end. */
static const char *trimmed(struct assembler *as, const char *p)
{
	size_t n = strlen(p);
	while (n && isspace((unsigned char)p[n - 1]))
		n--;
	char *copy = arena_memdup(&as->out->arena, p, n + 1);
	if (copy)
		copy[n] = 0;
	return copy;
}

/* Kernels. */

static bool open_kernel(struct assembler *as, const char *name)
{
	as->kernel = APPEND(as, as->out->kernels, as->out->nkernels);
	if (!as->kernel)
		return no_memory(as);
	*as->kernel = (struct asm_kernel){ .name = name };
	as->places = NULL;
	as->nitems = as->nplaces = 0;
	return true;
}

struct lookup {
	const struct assembler *as;
	bool placed;                /* addresses are known */
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct place *)a)->name, ((const struct place *)b)->name);
}

static uint32_t place_pc(const struct assembler *as, const struct place *p)
{
	const struct item *last = as->nitems ? &as->items[as->nitems - 1] : NULL;
	return p->item < as->nitems ? as->items[p->item].pc : last ? last->pc + last->length : 0;
}

static bool find_label(void *context, const char *name, size_t len, int64_t *value)
{
	const struct lookup *l = context;
	size_t low = 0, high = l->as->nplaces;
	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct place *p = &l->as->places[mid];
		int order = strncmp(p->name, name, len);
		if (order == 0 && !p->name[len]) {
			*value = l->placed ? place_pc(l->as, p) : 0;
			return true;
		}
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

static bool sort_labels(struct assembler *as)
{
	if (as->nplaces)
		qsort(as->places, as->nplaces, sizeof(*as->places), by_name);
	for (size_t i = 1; i < as->nplaces; i++) {
		const struct place *a = &as->places[i - 1], *b = &as->places[i];
		if (strcmp(a->name, b->name) != 0)
			continue;
		const struct place *again = a->line < b->line ? b : a, *before = again == a ? b : a;
		return diag_text(as->d, again->line, again->column, "label '%s' is already defined in line %d", a->name,
				 before->line);
	}
	return true;
}

/* An undefined label is mostly another one, mistyped: *d, "label 'NAME' is not defined", gets the nearest. */
static void explain_label(struct assembler *as, struct diag *d)
{
	static const char begin[] = "label '", end[] = "' is not defined";
	const char *name = d->text + sizeof begin - 1, *stop = strstr(d->text, end);
	struct near near = { .word = name, .n = stop ? (size_t)(stop - name) : 0 };
	size_t used = strlen(d->text);

	if (strncmp(d->text, begin, sizeof begin - 1) || !stop || stop <= name || stop[sizeof end - 1])
		return;
	for (size_t i = 0; i < as->nplaces; i++)
		near_try(&near, as->places[i].name, strlen(as->places[i].name));
	if (near.best)
		snprintf(d->text + used, sizeof d->text - used, "; did you mean '%.40s'?", near.best);
}

/* Errors go to *d; NULL: a mere try. */
static bool parse_line(struct assembler *as, const struct item *it, const struct isa_line *line, bool wide, bool placed,
		       struct isa_code *code, struct diag *d)
{
	struct lookup lookup = { as, placed };
	struct isa_symbols symbols = { find_label, &lookup, it->pc };
	if (isa_line_parse(&as->target, line, wide, &symbols, code, d))
		return true;
	if (d) {
		d->line = it->line;
		d->column += it->column - 1;
		explain_label(as, d);
	}
	return false;
}

/* Widen a short instruction right before item i, the nearest that can be wide. Every second instruction cannot: it
 * would be misplaced itself. */
static bool widen_before(struct assembler *as, size_t i, uint8_t align)
{
	struct isa_code code;
	for (size_t j = i; j-- > 0 && as->items[j].length < align;) {
		struct item *it = &as->items[j];
		struct isa_line line;
		if (it->pc % align || !it->text)
			continue;
		isa_line_read(&as->target, it->text, &line);
		if (!parse_line(as, it, &line, true, false, &code, NULL) || code.length != align)
			continue;
		it->wide = true;
		it->code = code;
		it->length = code.length;
		for (size_t k = j + 1; k <= i; k++)
			as->items[k].pc = as->items[k - 1].pc + as->items[k - 1].length;
		return true;
	}
	return false;
}

/* Parse an instruction for its length. Before an instruction with a larger alignment by its words, take a wide form if
 * possible, as widen_before would afterwards. */
static bool parse_length(struct assembler *as, struct item *it, const struct isa_line *line, unsigned next_align)
{
	unsigned unit = as->isa->table->unit;
	if (next_align > unit && it->pc % next_align == 0 &&
	    parse_line(as, it, line, true, false, &it->code, NULL) && it->code.length == next_align)
		return it->wide = true;
	return parse_line(as, it, line, it->wide, false, &it->code, as->d);
}

static bool lay_out(struct assembler *as)
{
	uint32_t pc = 0;
	struct isa_line lines[2];   /* lines of the present item and of the next, in turns */
	if (as->nitems && as->items[0].text)
		isa_line_read(&as->target, as->items[0].text, &lines[0]);
	for (size_t i = 0; i < as->nitems; i++) {
		struct item *it = &as->items[i];
		unsigned align = as->isa->table->unit, next_align = 0;
		if (i + 1 < as->nitems && it[1].text) {
			isa_line_read(&as->target, it[1].text, &lines[(i + 1) % 2]);
			next_align = isa_line_align(&as->target, &lines[(i + 1) % 2]);
		}
		it->pc = pc;
		if (it->text) {
			if (!parse_length(as, it, &lines[i % 2], next_align))
				return false;
			align = as->isa->table->form[it->code.row->form].align;
		}
		it->length = it->code.length;
		if (pc % align && !widen_before(as, i, (uint8_t)align))
			return diag_text(as->d, it->line, it->column, "the instruction falls on address 0x%x, expected "
					 "a multiple of %u, and none before it has a longer form", pc, align);
		pc = it->pc + it->length;
		if (pc > CODE_MAX)
			return diag_text(as->d, it->line, it->column, "the kernel is longer than 0x%x bytes", CODE_MAX);
	}
	return true;
}

static int by_address(const void *a, const void *b)
{
	uint32_t pc = *(const uint32_t *)a, at = ((const struct item *)b)->pc;
	return (pc > at) - (pc < at);
}

static bool warn(struct assembler *as, const struct item *it, const char *text, bool about_regs)
{
	struct asm_warning *w = APPEND(as, as->out->warnings, as->out->nwarnings);
	if (!w || !(w->text = arena_strdup(&as->out->arena, text)))
		return no_memory(as);
	w->line = (uint32_t)it->line;
	w->column = (uint32_t)it->column;
	w->about_regs = about_regs;
	return true;
}

/* A numeric target should be the address of an instruction; else the text was probably meant for another program. */
static bool check_target(struct assembler *as, const struct item *it)
{
	uint32_t to = it->code.target;
	char text[120];
	if (it->code.symbolic || !it->code.has_target ||
	    bsearch(&to, as->items, as->nitems, sizeof(*as->items), by_address))
		return true;
	snprintf(text, sizeof(text), "no instruction of this program begins at the target 0x%x; write a #label", to);
	return warn(as, it, text, false);
}

/* With fewer registers than the instructions name, the machine would give a thread those of another warp. */
static bool check_registers(struct assembler *as, const struct item *it, unsigned most)
{
	char text[160];
	snprintf(text, sizeof text, "a register beyond the %u of .regs: a multiprocessor would take another warp's; "
		 "write .regs %u, or leave .regs out", as->kernel->regs, most);
	return warn(as, it, text, true);
}

/* Whether a word with a register beyond .regs names more than the zero of compilers there. */
static bool is_beyond(const struct assembler *as, uint64_t word)
{
	const struct isa_table *t = as->target.isa->table;
	struct insn in;
	return !t->zero || !isa_decode_word(&as->target, word, &in) ||
	       isa_registers_allocated(t, &in) > as->kernel->regs;
}

/* The code of an item, once all labels have places. */
static bool code_of(struct assembler *as, struct item *it, struct isa_code *code)
{
	struct isa_line line;
	struct insn in;

	*code = it->code;
	if (code->symbolic) {
		isa_line_read(&as->target, it->text, &line);
		if (!parse_line(as, it, &line, it->wide, true, code, as->d))
			return false;
	}
	if (!it->text && isa_decode_word(&as->target, code->word, &in))
		code->registers = (uint16_t)isa_registers(&in);
	return true;
}

static bool encode(struct assembler *as)
{
	struct asm_kernel *k = as->kernel;
	const struct item *beyond = NULL;
	if (k->code && !as->nitems)     /* another kernel's */
		return true;
	struct arena *arena = &as->out->arena;
	k->code_bytes = as->nitems ? as->items[as->nitems - 1].pc + as->items[as->nitems - 1].length : 0;
	uint8_t *bytes = arena_alloc(arena, k->code_bytes + 1, 16);
	k->lines = ARENA_ARRAY(arena, struct asm_line, as->nitems + 1);
	if (!bytes || !k->lines)
		return no_memory(as);
	unsigned regs = 0;
	for (size_t i = 0; i < as->nitems; i++) {
		struct item *it = &as->items[i];
		struct isa_code code;
		if (!code_of(as, it, &code))
			return false;
		regs = code.registers > regs ? code.registers : regs;
		if (!beyond && k->regs && code.registers > k->regs && is_beyond(as, code.word))
			beyond = it;
		if (!check_target(as, it))
			return false;
		for (unsigned b = 0; b < it->length; b++)
			bytes[it->pc + b] = (uint8_t)(code.word >> 8 * b);
		k->lines[i] = (struct asm_line){ it->pc, (uint32_t)it->line };
	}
	if (beyond && !check_registers(as, beyond, regs))
		return false;
	k->nlines = as->nitems;
	k->code = bytes;
	k->regs = k->regs ? k->regs : regs;
	return true;
}

static bool close_kernel(struct assembler *as)
{
	struct asm_kernel *k = as->kernel;
	if (!sort_labels(as) || !lay_out(as) || !encode(as))
		return false;
	k->labels = ARENA_ARRAY(&as->out->arena, struct isa_label, as->nplaces + 1);
	if (!k->labels)
		return no_memory(as);
	for (size_t i = 0; i < as->nplaces; i++)
		k->labels[i] = (struct isa_label){ as->places[i].name, place_pc(as, &as->places[i]) };
	k->nlabels = as->nplaces;
	return true;
}

/* Directives. Each reads arguments at p and returns the text behind, NULL after an error. */

static const char *number(struct assembler *as, const char *p, int64_t low, int64_t high, int64_t *v)
{
	const char *start = skip(p);
	p = start;
	if (!isa_parse_number(&p, v) || *v < low || *v > high) {
		diag_text(as->d, as->line, (int)(start - as->line_start) + 1,
			  "found '%.*s', expected a number from %lld to %lld", (int)strcspn(start, " ,\t\r\n"), start,
			  (long long)low, (long long)high);
		return NULL;
	}
	return p;
}

/* A number of bytes may be in units of 1024 or 1024 * 1024: "4K", "4KB", "1M", "1MB". */
static const char *byte_count(struct assembler *as, const char *p, uint32_t *out, int64_t high)
{
	char *end;
	unsigned long n = strtoul(skip(p), &end, 10);
	unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
	int64_t v;
	if (end == skip(p) || !shift || is_name(end[end[1] == 'B' ? 2 : 1]) || n > (unsigned long)high >> shift) {
		p = number(as, p, 0, high, &v);
	} else {
		v = (int64_t)n << shift;
		p = end + (end[1] == 'B' ? 2 : 1);
	}
	if (p)
		*out = (uint32_t)v;
	return p;
}

static const char *name_at(struct assembler *as, const char *p, const char **name)
{
	const char *start = skip(p);
	for (p = start; is_name(*p) || *p == '$'; p++)
		;
	if (p == start) {
		error_at(as, start, "expected a name");
		return NULL;
	}
	char *copy = arena_memdup(&as->out->arena, start, (size_t)(p - start) + 1);
	if (!copy)
		return no_memory(as), NULL;
	copy[p - start] = 0;
	*name = copy;
	return p;
}

static const char *do_kernel(struct assembler *as, const char *p)
{
	const char *name;
	p = name_at(as, p, &name);
	if (!p)
		return NULL;
	if (as->named && (!close_kernel(as) || !open_kernel(as, name)))
		return NULL;
	as->named = true;
	as->kernel->name = name;
	return p;
}

/* .chip and .mode: unless the caller insists, the file decides, once and before the first instruction. */
static const char *choose(struct assembler *as, const char *p, const struct isa_name *list, bool forced,
			  const char **chosen, uint32_t *value)
{
	const char *name, *end = name_at(as, p, &name);
	uint32_t v;
	if (!end)
		return NULL;
	if (!isa_name_find(list, name, strlen(name), &v)) {
		char text[200];
		size_t len = (size_t)snprintf(text, sizeof(text), "found '%.40s', expected", name);
		for (; list->name && len < sizeof(text) - 20; list++)
			len += (size_t)snprintf(text + len, sizeof(text) - len, " %s", list->name);
		error_at(as, skip(p), text);
		return NULL;
	}
	if (as->nitems || as->out->nkernels > 1) {
		error_at(as, skip(p), "expected before the first instruction");
		return NULL;
	}
	if (!forced) {
		*chosen = name;
		*value = v;
	}
	return end;
}

static const char *do_chip(struct assembler *as, const char *p)
{
	return choose(as, p, as->isa->table->chips, as->chip_forced, &as->out->chip, &as->target.features);
}

static const char *do_mode(struct assembler *as, const char *p)
{
	return choose(as, p, as->isa->table->modes, as->mode_forced, &as->out->mode, &as->target.mode);
}

static const char *do_regs(struct assembler *as, const char *p)
{
	int64_t v;
	p = number(as, p, 0, 1024, &v);
	if (p)
		as->kernel->regs = (uint32_t)v;
	return p;
}

static const char *do_smem(struct assembler *as, const char *p)
{
	return byte_count(as, p, &as->kernel->smem, 1 << 24);
}

static const char *do_lmem(struct assembler *as, const char *p)
{
	return byte_count(as, p, &as->kernel->lmem, 1 << 24);
}

uint32_t asm_type_size(const char *type)
{
	static const struct {
		const char *suffix;
		uint32_t size;
	} sizes[] = { { "8", 1 }, { "16", 2 }, { "32", 4 }, { "64", 8 } };
	if (strcmp(type, "ptr") == 0 || strcmp(type, "shared") == 0)
		return 4;
	if (strchr("usfb", *type) && *type)
		for (unsigned i = *type == 'f' ? 2 : 0; i < sizeof(sizes) / sizeof(*sizes); i++)
			if (strcmp(type + 1, sizes[i].suffix) == 0)
				return sizes[i].size;
	return 0;
}

/* A parameter with its place: OFFSET BYTES NAME. */
static const char *placed_param(struct assembler *as, const char *p)
{
	struct asm_kernel *k = as->kernel;
	const char *name;
	int64_t offset, size;
	if (!(p = number(as, p, 0, PARAMS_MAX - 1, &offset)) || !(p = number(as, p, 1, PARAMS_MAX - offset, &size)) ||
	    !(p = name_at(as, p, &name)))
		return NULL;
	struct asm_param *param = APPEND(as, k->params, k->nparams);
	if (!param)
		return no_memory(as), NULL;
	*param = (struct asm_param){ "", name, (uint32_t)offset, (uint32_t)size };
	if (offset + size > k->param_bytes)
		k->param_bytes = (uint32_t)(offset + size);
	return p;
}

static const char *do_param(struct assembler *as, const char *p)
{
	struct asm_kernel *k = as->kernel;
	if (isdigit((unsigned char)*skip(p)))
		return placed_param(as, p);
	const char *type, *name, *end = name_at(as, p, &type);
	if (!end)
		return NULL;
	uint32_t size = asm_type_size(type);
	if (!size) {
		error_at(as, skip(p), "unknown type, expected u8 to u64, s8 to s64, b8 to b64, f32, f64 or ptr");
		return NULL;
	}
	end = name_at(as, end, &name);
	struct asm_param *param = end ? APPEND(as, k->params, k->nparams) : NULL;
	if (!param)
		return end ? (no_memory(as), NULL) : NULL;
	uint32_t offset = (k->param_bytes + size - 1) & ~(size - 1);
	*param = (struct asm_param){ type, name, offset, size };
	k->param_bytes = offset + size;
	return end;
}

/* ": WORD[, WORD]..." to the end of the line, as *c; NULL: no host memory for c. */
static const char *words_to(struct assembler *as, const char *p, int64_t bank, int64_t offset, struct asm_const *c)
{
	uint8_t *bytes = NULL;
	size_t n = 0;
	int64_t v;
	p = skip(p);
	if (*p != ':') {
		error_at(as, p, "expected ':' and the words");
		return NULL;
	}
	for (p = skip(p + 1); c && *p; p = skip(p)) {
		if (!(p = number(as, p, INT32_MIN, UINT32_MAX, &v)))
			return NULL;
		for (unsigned i = 0; i < 4; i++) {
			uint8_t *byte = APPEND(as, bytes, n);
			if (!byte)
				return no_memory(as), NULL;
			*byte = (uint8_t)(v >> 8 * i);
		}
		p += *p == ',';
	}
	if (!c)
		return no_memory(as), NULL;
	*c = (struct asm_const){ (uint32_t)bank, (uint32_t)offset, (uint32_t)n, bytes };
	return p;
}

static const char *do_const(struct assembler *as, const char *p)
{
	struct asm_kernel *k = as->kernel;
	int64_t bank, offset;
	if (!(p = number(as, p, 0, 15, &bank)) || !(p = number(as, p, 0, 0xfffc, &offset)))
		return NULL;
	return words_to(as, p, bank, offset, APPEND(as, k->consts, k->nconsts));
}

static const char *do_memory(struct assembler *as, const char *p)
{
	int64_t bytes, at;
	if (as->out->memory_bytes) {
		error_at(as, skip(p), "expected .memory once");
		return NULL;
	}
	if (!(p = number(as, p, 1, MEMORY_MAX, &bytes)) || !(p = number(as, p, 0, bytes - 1, &at)))
		return NULL;
	as->out->memory_bytes = (uint32_t)bytes;
	as->out->code_at = (uint32_t)at;
	return p;
}

static const char *do_data(struct assembler *as, const char *p)
{
	struct asm_program *out = as->out;
	int64_t offset;
	if (!(p = number(as, p, 0, (int64_t)out->memory_bytes - 1, &offset)) ||
	    !(p = words_to(as, p, 0, offset, APPEND(as, out->data, out->ndata))))
		return NULL;
	if (out->data[out->ndata - 1].size <= out->memory_bytes - (uint32_t)offset)
		return p;
	error_at(as, p, "these words leave the .memory");
	return NULL;
}

static const char *do_pointer(struct assembler *as, const char *p)
{
	struct asm_program *out = as->out;
	int64_t offset, to;
	if (!(p = number(as, p, 0, (int64_t)out->memory_bytes - 8, &offset)) ||
	    !(p = number(as, p, 0, (int64_t)out->memory_bytes - 1, &to)))
		return NULL;
	struct asm_pointer *pointer = APPEND(as, out->pointers, out->npointers);
	if (!pointer)
		return no_memory(as), NULL;
	*pointer = (struct asm_pointer){ (uint32_t)offset, (uint32_t)to };
	return p;
}

static const char *do_descriptor(struct assembler *as, const char *p)
{
	int64_t v;
	for (unsigned i = 0; i < 3; i++) {
		if (!(p = number(as, p, 0, UINT32_MAX, &v)))
			return NULL;
		as->kernel->descriptor[i] = (uint32_t)v;
	}
	as->kernel->described = true;
	return p;
}

static const char *do_hidden(struct assembler *as, const char *p)
{
	struct asm_kernel *k = as->kernel;
	const char *kind;
	int64_t offset, size;
	if (!(p = name_at(as, p, &kind)) || !(p = number(as, p, 0, PARAMS_MAX - 1, &offset)) ||
	    !(p = number(as, p, 1, PARAMS_MAX - offset, &size)))
		return NULL;
	struct asm_hidden *hidden = APPEND(as, k->hidden, k->nhidden);
	if (!hidden)
		return no_memory(as), NULL;
	*hidden = (struct asm_hidden){ kind, (uint32_t)offset, (uint32_t)size };
	if (offset + size > k->param_bytes)
		k->param_bytes = (uint32_t)(offset + size);
	return p;
}

/* A number in a member of the kernel. */
static const char *number_to(struct assembler *as, const char *p, int64_t high, uint32_t *out)
{
	int64_t v;
	if ((p = number(as, p, 0, high, &v)))
		*out = (uint32_t)v;
	return p;
}

static const char *do_sregs(struct assembler *as, const char *p)
{
	return number_to(as, p, 128, &as->kernel->warp_regs);
}

static const char *do_kernarg(struct assembler *as, const char *p)
{
	return number_to(as, p, PARAMS_MAX, &as->kernel->param_bytes);
}

static const char *do_entry(struct assembler *as, const char *p)
{
	return number_to(as, p, CODE_MAX, &as->kernel->entry);
}

static const char *do_code(struct assembler *as, const char *p)
{
	const char *name, *end = name_at(as, p, &name);
	for (size_t i = 0; end && i + 1 < as->out->nkernels; i++)
		if (!strcmp(as->out->kernels[i].name, name)) {
			as->kernel->code = as->out->kernels[i].code;
			as->kernel->code_bytes = as->out->kernels[i].code_bytes;
			return end;
		}
	if (end)
		error_at(as, skip(p), "expected the name of a kernel above");
	return NULL;
}

static const char *do_word(struct assembler *as, const char *p)
{
	unsigned unit = as->isa->table->unit;
	struct item *it = new_item(as, (struct item){ .line = as->line, .column = (int)(p - as->line_start) + 1 });
	if (!it)
		return NULL;
	for (unsigned i = 0; i < 8 / unit && (!i || *skip(p)); i++) {
		int64_t v;
		if (!(p = number(as, p, 0, (int64_t)ISA_ONES(8 * unit), &v)))
			return NULL;
		it->code.word |= (uint64_t)v << 8 * it->code.length;
		it->code.length = (uint8_t)(it->code.length + unit);
	}
	return p;
}

static const char *dimensions(struct assembler *as, const char *p, uint32_t out[3], unsigned most)
{
	out[0] = out[1] = out[2] = 1;
	for (unsigned i = 0; i < most; i++) {
		int64_t v;
		if (!(p = number(as, p, 1, 65535, &v)))
			return NULL;
		out[i] = (uint32_t)v;
		p = skip(p);
		if (*p != ',')
			break;
		if (i + 1 < most)
			p++;
	}
	return p;
}

static const char *do_grid(struct assembler *as, const char *p)
{
	return dimensions(as, p, as->kernel->grid, 3);
}

static const char *do_block(struct assembler *as, const char *p)
{
	return dimensions(as, p, as->kernel->block, 3);
}

static const char *do_mps(struct assembler *as, const char *p)
{
	int64_t v;

	if (!(p = number(as, p, 1, ASM_MPS_MAX, &v)))
		return NULL;
	as->kernel->mps = (uint32_t)v;
	return p;
}

static bool keep_text(struct assembler *as, const char *p, const char ***array, size_t *n)
{
	const char **slot = append(as, (void **)array, n, sizeof(**array));
	if (!slot || !(*slot = trimmed(as, skip(p))))
		return no_memory(as);
	return true;
}

static const char *do_arg(struct assembler *as, const char *p)
{
	if (!*skip(p)) {
		error_at(as, p, "expected the words of an argument, such as u32=5 or zero=1024");
		return NULL;
	}
	return keep_text(as, p, &as->kernel->args, &as->kernel->nargs) ? p + strlen(p) : NULL;
}

static const char *do_scene(struct assembler *as, const char *p)
{
	return keep_text(as, p, &as->kernel->scene, &as->kernel->nscene) ? p + strlen(p) : NULL;
}

static const struct {
	const char *name;
	const char *(*read)(struct assembler *as, const char *p);
} directives[] = {
	{ ".kernel", do_kernel }, { ".chip", do_chip }, { ".mode", do_mode },
	{ ".regs", do_regs }, { ".smem", do_smem }, { ".lmem", do_lmem },
	{ ".param", do_param }, { ".const", do_const }, { ".word", do_word },
	{ ".grid", do_grid }, { ".block", do_block }, { ".arg", do_arg },
	{ ".mps", do_mps }, { ".scene", do_scene },
	{ ".descriptor", do_descriptor }, { ".sregs", do_sregs }, { ".kernarg", do_kernarg }, { ".hidden", do_hidden },
	{ ".entry", do_entry }, { ".code", do_code },
	{ ".memory", do_memory }, { ".data", do_data }, { ".pointer", do_pointer },
};
enum { DIRECTIVES = sizeof(directives) / sizeof(*directives) };

static bool directive(struct assembler *as, const char *p)
{
	size_t n = 1;
	while (is_name(p[n]))
		n++;
	for (unsigned i = 0; i < DIRECTIVES; i++) {
		if (strlen(directives[i].name) != n || memcmp(directives[i].name, p, n) != 0)
			continue;
		const char *end = directives[i].read(as, p + n);
		if (end && *skip(end))
			return error_at(as, skip(end), "expected the end of the line");
		return end != NULL;
	}
	char text[240];
	int shown = (int)(n < 40 ? n : 40);
	struct near near = { .word = p, .n = n };
	for (unsigned i = 0; i < DIRECTIVES; i++)
		near_try(&near, directives[i].name, strlen(directives[i].name));
	if (near.best) {
		snprintf(text, sizeof(text), "unknown directive '%.*s'; did you mean '%s'?", shown, p, near.best);
		return error_at(as, p, text);
	}
	size_t len = (size_t)snprintf(text, sizeof(text), "unknown directive '%.*s', expected", shown, p);
	for (unsigned i = 0; i < DIRECTIVES && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, " %s", directives[i].name);
	return error_at(as, p, text);
}

/* Lines. */

/* Blank out the comments of a line; keep expectations. */
static bool strip_comments(struct assembler *as, char *p)
{
	if (!as->in_comment)
		p += strcspn(p, "/");
	while (*p) {
		if (as->in_comment) {
			as->in_comment = p[0] != '*' || p[1] != '/';
			if (!as->in_comment)
				*p++ = ' ';
			*p++ = ' ';
		} else if (p[0] == '/' && p[1] == '*') {
			as->in_comment = true;
			*p++ = ' ';
			*p++ = ' ';
		} else if (p[0] == '/' && p[1] == '/') {
			const char *text = skip(p + 2);
			bool ok = strncmp(text, "expect:", 7) != 0 ||
			          keep_text(as, text + 7, &as->kernel->expect, &as->kernel->nexpect);
			*p = 0;
			return ok;
		} else {
			p++;
		}
	}
	return true;
}

static bool label(struct assembler *as, const char *p, size_t len)
{
	struct place *place = APPEND(as, as->places, as->nplaces);
	char *name = arena_memdup(&as->out->arena, p, len + 1);
	if (!place || !name)
		return no_memory(as);
	name[len] = 0;
	*place = (struct place){ name, as->nitems, as->line, (int)(p - as->line_start) + 1 };
	return true;
}

static bool statement(struct assembler *as, const char *p)
{
	for (p = skip(p); *p; p = skip(p)) {
		size_t n = 0;
		while (is_name(p[n]))
			n++;
		if (n && p[n] == ':' && !isdigit((unsigned char)*p)) {
			if (!label(as, p, n))
				return false;
			p += n + 1;
			continue;
		}
		if (*p == '.')
			return directive(as, p);
		return new_item(as, (struct item){ .text = p, .line = as->line,
		                                   .column = (int)(p - as->line_start) + 1 });
	}
	return true;
}

static bool read_lines(struct assembler *as, char *text, size_t size)
{
	char *end = text + size;
	for (char *line = text; line < end; as->line++) {
		char *stop = memchr(line, '\n', (size_t)(end - line));
		char *next = stop ? stop + 1 : end;
		char *last = stop ? stop : end;
		if (memchr(line, 0, (size_t)(last - line)))
			return diag_text(as->d, as->line, 1, "the line contains a zero byte, expected text");
		*last = 0;
		if (last > line && last[-1] == '\r')
			last[-1] = 0;
		as->line_start = line;
		if (!strip_comments(as, line))
			return false;
		size_t n = strlen(line);
		while (n && isspace((unsigned char)line[n - 1]))
			line[--n] = 0;
		if (!statement(as, line))
			return false;
		line = next;
	}
	return !as->in_comment || diag_text(as->d, as->line, 1, "the text ends inside of a comment");
}

static bool unknown_chip(struct assembler *as)
{
	const struct isa_table *t = as->isa->table;
	char list[160] = "";
	size_t n = 0;
	for (const struct isa_name *c = t->chips; c->name && n < sizeof(list); c++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s", n ? " " : "", c->name);
	return diag_set(as->d, DIAG_USAGE, "unknown chip '%s' of %s, which has %s; later ones are other machines",
			as->out->chip, t->title, list);
}

static bool start(struct assembler *as, const char *chip, const char *mode)
{
	const struct isa_table *t = as->isa->table;
	as->chip_forced = chip != NULL;
	as->mode_forced = mode != NULL;
	as->out->chip = arena_strdup(&as->out->arena, chip ? chip : t->chip);
	as->out->mode = arena_strdup(&as->out->arena, mode ? mode : t->mode);
	if (!as->out->chip || !as->out->mode)
		return no_memory(as);
	as->target.isa = as->isa;
	if (!isa_name_find(t->chips, as->out->chip, strlen(as->out->chip), &as->target.features))
		return unknown_chip(as);
	if (!isa_name_find(t->modes, as->out->mode, strlen(as->out->mode), &as->target.mode))
		return diag_set(as->d, DIAG_USAGE, "unknown program type '%s' of %s", as->out->mode, t->name);
	return open_kernel(as, "main");
}

bool asm_assemble(const struct isa_ops *isa, const char *text, size_t size, const char *chip, const char *mode,
		  uint8_t syntax, struct asm_program *out, struct diag *d)
{
	*out = (struct asm_program){ .nkernels = 0 };
	struct assembler as = { .isa = isa, .target.syntax = syntax, .out = out, .line = 1, .d = d };
	char *copy = arena_alloc(&out->arena, size + 1, 1);
	bool ok = copy ? start(&as, chip, mode) : no_memory(&as);
	if (ok) {
		memcpy(copy, text, size);
		copy[size] = 0;
		ok = read_lines(&as, copy, size) && close_kernel(&as);
	}
	free(as.items);
	if (!ok)
		asm_free(out);
	return ok;
}

void asm_free(struct asm_program *p)
{
	arena_free(&p->arena);
	*p = (struct asm_program){ .nkernels = 0 };
}
