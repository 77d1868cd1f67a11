/* Scopes, types and variables of an AMD code object, from its debug information (libdw). Nothing in the file is
 * trusted: numbers are bounded, and what cannot be read leaves a variable without a type or a place. */
#include "core/load/code_object_debug.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

enum { TYPES_MOST = 1 << 12, VARIABLES_MOST = 1 << 14, SCOPES_MOST = 1 << 14, RANGES_MOST = 1 << 16 };
enum { NESTED_MOST = 32, TYPE_NAME = 80, RECORD_MOST = 1 << 24 };
enum { CC_LLVM_OPENCL_KERNEL = 0xc7 };
enum { CLASS_PRIVATE = 1, CLASS_LOCAL = 2 };

/* Types by the offset of their entry in the debug information, one for each of the table's. */
struct seen {
	size_t n;
	Dwarf_Off *entry;
};

struct reader {
	struct object *o;
	struct seen seen;
	Dwarf_Lines *lines;     /* of the unit */
	size_t nlines;
	unsigned nested;
};

/* ---- attributes ---- */

static uint64_t attribute(Dwarf_Die *die, unsigned name, uint64_t otherwise)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	return dwarf_formudata(dwarf_attr_integrate(die, name, &a), &v) ? otherwise : v;
}

static bool flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;
	bool set = false;

	return !dwarf_formflag(dwarf_attr(die, name, &a), &set) && set;
}

/* The clean name of an entry, "" for none; NULL: the host has no memory. */
static const char *name_of(struct reader *r, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name ? arena_text(&r->o->im->arena, name, strnlen(name, LIMIT_NAME)) : "";
}

/* ---- types ---- */

static bool read_type(struct reader *r, Dwarf_Die *die, uint32_t *out);

/* The type that an entry names by DW_AT_type; NO_TYPE: void, or a type that cannot be read. */
static bool type_of(struct reader *r, Dwarf_Die *die, uint32_t *out)
{
	Dwarf_Attribute a;
	Dwarf_Die type;

	*out = NO_TYPE;
	return !dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &a), &type) || read_type(r, &type, out);
}

static struct source_type *types(const struct reader *r)
{
	return r->o->variables->types;
}

static const char *type_name(const struct reader *r, uint32_t type)
{
	return type == NO_TYPE ? "void" : types(r)[type].name;
}

static void base_type(Dwarf_Die *die, struct source_type *t)
{
	static const uint8_t kinds[] = {
		[DW_ATE_boolean] = TYPE_UNSIGNED, [DW_ATE_float] = TYPE_FLOAT, [DW_ATE_signed] = TYPE_SIGNED,
		[DW_ATE_signed_char] = TYPE_SIGNED, [DW_ATE_unsigned] = TYPE_UNSIGNED,
		[DW_ATE_unsigned_char] = TYPE_UNSIGNED,
	};
	uint64_t encoding = attribute(die, DW_AT_encoding, 0);
	bool known = encoding == DW_ATE_boolean || (encoding >= DW_ATE_float && encoding <= DW_ATE_unsigned_char);

	t->kind = known && t->bytes && t->bytes <= 8 ? kinds[encoding] : TYPE_OTHER;
}

static bool pointer_type(struct reader *r, Dwarf_Die *die, struct source_type *t)
{
	uint64_t class = attribute(die, DW_AT_address_class, 0);
	const char *of = type_name(r, t->of);
	char name[TYPE_NAME];

	t->kind = TYPE_POINTER;
	t->space = class == CLASS_PRIVATE ? SPACE_LOCAL : class == CLASS_LOCAL ? SPACE_SHARED : SPACE_GLOBAL;
	t->bytes = t->bytes ? t->bytes : t->space == SPACE_GLOBAL ? 8 : 4;
	snprintf(name, sizeof name, "%.60s%s*", of, *of && of[strlen(of) - 1] == '*' ? "" : " ");
	return (t->name = arena_strdup(&r->o->im->arena, name));
}

/* Elements of an array in each dimension; returns their number. */
static uint64_t dimensions(Dwarf_Die *die, uint64_t counts[NESTED_MOST])
{
	Dwarf_Die range;
	uint64_t n = 0;

	for (int next = dwarf_child(die, &range); !next && n < NESTED_MOST; next = dwarf_siblingof(&range, &range))
		if (dwarf_tag(&range) == DW_TAG_subrange_type)
			counts[n++] = attribute(&range, DW_AT_count,
						attribute(&range, DW_AT_upper_bound, UINT64_MAX) + 1);
	return n;
}

/* An array of arrays has an entry for each dimension, the outermost first: the last is of the elements' type. */
static bool array_type(struct reader *r, Dwarf_Die *die, struct source_type *t, uint32_t self)
{
	struct source_variables *v = r->o->variables;
	uint64_t counts[NESTED_MOST], n;
	char name[TYPE_NAME];
	uint32_t of = t->of;
	size_t at;

	n = dimensions(die, counts);
	if (!n || of == NO_TYPE)
		return true;
	at = (size_t)snprintf(name, sizeof name, "%.40s", types(r)[of].name);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t bytes = types(r)[of].bytes;
		for (uint64_t k = i; k < n; k++)
			bytes = bytes > RECORD_MOST || counts[k] > RECORD_MOST ? UINT64_MAX : bytes * counts[k];
		if (bytes > RECORD_MOST)
			return true;
		if (at < sizeof name)
			at += (size_t)snprintf(name + at, sizeof name - at, "[%u]", (unsigned)counts[i]);
	}
	for (uint64_t i = n; i-- > 1;) {
		struct source_type *inner = image_push(&r->o->im->arena, &v->types, &v->ntypes);
		if (!inner)
			return false;
		*inner = (struct source_type){ .name = "", .kind = TYPE_ARRAY, .of = of, .count = (uint32_t)counts[i],
					       .bytes = (uint32_t)(types(r)[of].bytes * counts[i]) };
		of = (uint32_t)(inner - types(r));
	}
	t = &types(r)[self];
	t->kind = TYPE_ARRAY;
	t->of = of;
	t->count = (uint32_t)counts[0];
	t->is_vector = flag(die, DW_AT_GNU_vector);
	t->bytes = t->bytes ? t->bytes : (uint32_t)(types(r)[of].bytes * counts[0]);
	return (t->name = arena_strdup(&r->o->im->arena, name));
}

static bool record_type(struct reader *r, Dwarf_Die *die, uint32_t self)
{
	struct source_variables *v = r->o->variables;
	struct source_member found[256];
	Dwarf_Die member;
	uint32_t n = 0;

	for (int next = dwarf_child(die, &member); !next && n < 256; next = dwarf_siblingof(&member, &member)) {
		struct source_member *m = &found[n];
		uint64_t offset = attribute(&member, DW_AT_data_member_location, 0);
		uint64_t bit = attribute(&member, DW_AT_data_bit_offset, 0);
		uint64_t bits = attribute(&member, DW_AT_bit_size, 0);
		if (dwarf_tag(&member) != DW_TAG_member || offset > RECORD_MOST || bits > 32 || bit > RECORD_MOST)
			continue;
		*m = (struct source_member){ .name = name_of(r, &member), .bit = (uint8_t)(bit % 8),
					     .offset = (uint32_t)(offset + bit / 8), .bits = (uint8_t)bits };
		if (!m->name || !type_of(r, &member, &m->type))
			return false;
		n += m->type != NO_TYPE;
	}
	types(r)[self].kind = TYPE_RECORD;
	types(r)[self].members = (uint32_t)v->nmembers;
	types(r)[self].nmembers = n;
	for (uint32_t i = 0; i < n; i++) {
		struct source_member *to = image_push(&r->o->im->arena, &v->members, &v->nmembers);
		if (!to)
			return false;
		*to = found[i];
	}
	return true;
}

/* Another name of a type, or the same with a qualifier. */
static bool alias(struct reader *r, Dwarf_Die *die, uint32_t self)
{
	uint32_t of;

	if (!type_of(r, die, &of))
		return false;
	if (of != NO_TYPE) {
		const char *name = types(r)[self].name;
		types(r)[self] = types(r)[of];
		if (dwarf_tag(die) == DW_TAG_typedef)
			types(r)[self].name = name;
	}
	return true;
}

static bool fill_type(struct reader *r, Dwarf_Die *die, uint32_t self)
{
	struct source_type *t = &types(r)[self];

	switch (dwarf_tag(die)) {
	case DW_TAG_base_type: base_type(die, t); return true;
	case DW_TAG_enumeration_type: t->kind = TYPE_UNSIGNED; return true;
	case DW_TAG_structure_type:
	case DW_TAG_union_type: return record_type(r, die, self);
	case DW_TAG_pointer_type:
	case DW_TAG_array_type: {
		uint32_t of;
		if (!type_of(r, die, &of))
			return false;
		t = &types(r)[self];
		t->of = of;
		return dwarf_tag(die) == DW_TAG_array_type ? array_type(r, die, t, self) : pointer_type(r, die, t);
	}
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type: return alias(r, die, self);
	default: return true;
	}
}

static bool is_seen(const struct reader *r, Dwarf_Off entry, uint32_t *out)
{
	for (size_t i = 0; i < r->seen.n; i++)
		if (r->seen.entry[i] == entry) {
			*out = (uint32_t)i;
			return true;
		}
	return false;
}

/* The index of a type, which is read at its first use; a type in its own members is found half filled. */
static bool read_type(struct reader *r, Dwarf_Die *die, uint32_t *out)
{
	struct source_variables *v = r->o->variables;
	struct source_type *t;
	bool good;

	if (is_seen(r, dwarf_dieoffset(die), out))
		return true;
	*out = NO_TYPE;
	if (v->ntypes >= TYPES_MOST || r->nested >= NESTED_MOST)
		return true;
	t = image_push(&r->o->im->arena, &v->types, &v->ntypes);
	if (!t)
		return false;
	*out = (uint32_t)(t - v->types);
	*t = (struct source_type){ .name = name_of(r, die), .kind = TYPE_OTHER, .of = NO_TYPE,
				   .bytes = (uint32_t)attribute(die, DW_AT_byte_size, 0) };
	if (!t->name)
		return false;
	t->bytes = t->bytes > RECORD_MOST ? 0 : t->bytes;
	while (r->seen.n < v->ntypes) {
		Dwarf_Off *entry = image_push(&r->o->im->arena, &r->seen.entry, &r->seen.n);
		if (!entry)
			return false;
		*entry = (Dwarf_Off)-1;
	}
	r->seen.entry[*out] = dwarf_dieoffset(die);
	r->nested++;
	good = fill_type(r, die, *out);
	r->nested--;
	return good;
}

/* ---- scopes ---- */

/* Append the pcs of an entry; *n: number of ranges. */
static bool add_ranges(struct reader *r, Dwarf_Die *die, uint32_t *n)
{
	struct object *o = r->o;
	struct source_variables *v = o->variables;
	Dwarf_Addr base, start, end;

	*n = 0;
	for (ptrdiff_t next = 0; (next = dwarf_ranges(die, next, &base, &start, &end)) > 0;) {
		struct pc_range *to;
		if (start < o->code_at || end <= start || end - o->code_at > o->code_bytes || v->nranges >= RANGES_MOST)
			continue;
		to = image_push(&o->im->arena, &v->ranges, &v->nranges);
		if (!to)
			return false;
		*to = (struct pc_range){ (uint32_t)(start - o->code_at), (uint32_t)(end - o->code_at) };
		++*n;
	}
	return true;
}

/* The first pc behind a function's prologue, by the unit's lines; otherwise the function's first pc. */
static uint32_t body_of(const struct reader *r, struct pc_range f)
{
	for (size_t i = 0; i < r->nlines; i++) {
		Dwarf_Line *row = dwarf_onesrcline(r->lines, i);
		Dwarf_Addr address;
		bool end = false;
		if (!dwarf_lineprologueend(row, &end) && end && !dwarf_lineaddr(row, &address) &&
		    address - r->o->code_at >= f.low && address - r->o->code_at < f.high)
			return (uint32_t)(address - r->o->code_at);
	}
	return f.low;
}

/* The frame of a function: a kernel's begins private memory, another function's is where a scalar register says. */
static struct frame frame_of(const struct reader *r, Dwarf_Die *die, const struct source_scope *scope)
{
	struct frame f = { .reg = -1 };
	Dwarf_Attribute a;
	Dwarf_Op *op;
	size_t n;

	if (scope->nranges)
		f.range = r->o->variables->ranges[scope->ranges];
	f.body = body_of(r, f.range);
	if (!scope->is_kernel && !dwarf_getlocation(dwarf_attr(die, DW_AT_frame_base, &a), &op, &n) && n == 1 &&
	    op->atom == DW_OP_regx && op->number < INT32_MAX)
		f.reg = (int)op->number;
	return f;
}

/* Add the scope of an entry with pcs; NO_SCOPE: the entry has none. */
static bool add_scope(struct reader *r, Dwarf_Die *die, uint32_t parent, uint32_t *out)
{
	struct source_variables *v = r->o->variables;
	int tag = dwarf_tag(die);
	struct source_scope s = { .function = "", .parent = parent, .ranges = (uint32_t)v->nranges,
				  .depth = parent == NO_SCOPE ? 0 : v->scopes[parent].depth + 1 };
	struct source_scope *to;

	*out = NO_SCOPE;
	if (v->nscopes >= SCOPES_MOST || !add_ranges(r, die, &s.nranges))
		return v->nscopes >= SCOPES_MOST;
	if (!s.nranges)
		return true;
	if (tag != DW_TAG_lexical_block && !(s.function = name_of(r, die)))
		return false;
	s.is_kernel = tag == DW_TAG_subprogram && attribute(die, DW_AT_calling_convention, 0) == CC_LLVM_OPENCL_KERNEL;
	to = image_push(&r->o->im->arena, &v->scopes, &v->nscopes);
	if (!to)
		return false;
	*to = s;
	*out = (uint32_t)(to - v->scopes);
	return true;
}

/* ---- variables ---- */

static bool add_variable(struct reader *r, Dwarf_Die *die, uint32_t scope, const struct frame *f, uint32_t parameter)
{
	struct source_variables *v = r->o->variables;
	struct source_variable one = { .name = name_of(r, die), .scope = scope, .parameter = parameter,
				       .line = (uint32_t)attribute(die, DW_AT_decl_line, 0) };
	Dwarf_Attribute a;
	struct source_variable *to;

	if (!one.name || !*one.name || v->nvariables >= VARIABLES_MOST)
		return one.name;
	if (!type_of(r, die, &one.type))
		return false;
	if (dwarf_attr(die, DW_AT_location, &a) && !debug_places(r->o, &a, f, &one))
		return false;
	to = image_push(&r->o->im->arena, &v->variables, &v->nvariables);
	if (!to)
		return false;
	*to = one;
	return true;
}

static bool walk(struct reader *r, Dwarf_Die *die, uint32_t scope, const struct frame *f);

/* A scope inside of another; a function has a frame of its own, and an inlined one its caller's. */
static bool walk_scope(struct reader *r, Dwarf_Die *die, uint32_t parent, const struct frame *f)
{
	struct frame own;
	uint32_t scope;

	if (!add_scope(r, die, parent, &scope))
		return false;
	if (scope == NO_SCOPE || r->nested >= NESTED_MOST)
		return true;
	if (dwarf_tag(die) == DW_TAG_subprogram) {
		own = frame_of(r, die, &r->o->variables->scopes[scope]);
		f = &own;
	}
	return walk(r, die, scope, f);
}

static bool walk(struct reader *r, Dwarf_Die *die, uint32_t scope, const struct frame *f)
{
	bool is_kernel = scope != NO_SCOPE && r->o->variables->scopes[scope].is_kernel, good = true;
	uint32_t parameters = 0;
	Dwarf_Die child;

	r->nested++;
	for (int next = dwarf_child(die, &child); good && !next; next = dwarf_siblingof(&child, &child))
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block: good = walk_scope(r, &child, scope, f); break;
		case DW_TAG_formal_parameter:
			parameters++;
			good = add_variable(r, &child, scope, f, is_kernel ? parameters : 0);
			break;
		case DW_TAG_variable: good = add_variable(r, &child, scope, f, 0); break;
		default: break;
		}
	r->nested--;
	return good;
}

static bool read_unit(struct reader *r, Dwarf_Die *unit)
{
	struct frame f = { .reg = -1, .range = { 0, r->o->code_bytes } };

	r->nlines = 0;
	if (dwarf_getsrclines(unit, &r->lines, &r->nlines))
		r->nlines = 0;
	return walk(r, unit, NO_SCOPE, &f);
}

static bool read_all(struct object *o)
{
	struct reader r = { .o = o };
	Dwarf *dwarf = dwarf_begin_elf(o->elf, DWARF_C_READ, NULL);
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t type;
	bool ok = true;

	while (ok && dwarf && !dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, NULL))
		ok = type != DW_UT_compile || read_unit(&r, &die);
	if (dwarf)
		dwarf_end(dwarf);
	return ok || load_no_memory(o->l);
}

/* ---- local memory ---- */

/* A variable of a kernel in local memory whose symbol nothing defines. */
struct local {
	struct source_variable *variable;
	struct place_op *op;
	uint32_t bytes, align;
	bool placed;
};

enum { LOCALS_MOST = 64 };

static uint32_t alignment(const struct source_variables *v, uint32_t type, unsigned nested)
{
	const struct source_type *t = type == NO_TYPE ? NULL : &v->types[type];
	uint32_t most = 1;

	if (!t || nested > NESTED_MOST)
		return 1;
	if (t->kind == TYPE_ARRAY && !t->is_vector)
		return alignment(v, t->of, nested + 1);
	for (uint32_t i = 0; t->kind == TYPE_RECORD && i < t->nmembers; i++) {
		uint32_t one = alignment(v, v->members[t->members + i].type, nested + 1);
		most = one > most ? one : most;
	}
	return t->kind == TYPE_RECORD ? most : t->bytes ? t->bytes & -t->bytes : 1;
}

/* As LLVM's AMDGPULowerModuleLDS raises it. */
static uint32_t raised(uint32_t align, uint32_t bytes)
{
	uint32_t least = bytes > 8 ? 16 : bytes > 4 ? 8 : bytes > 2 ? 4 : bytes > 1 ? 2 : 1;

	return align > least ? align : least;
}

static unsigned collect(struct source_variables *v, const char *kernel, struct local found[LOCALS_MOST])
{
	unsigned n = 0;

	for (size_t i = 0; i < v->nvariables && n < LOCALS_MOST; i++) {
		struct source_variable *one = &v->variables[i];
		uint32_t scope = one->scope;
		while (scope != NO_SCOPE && !*v->scopes[scope].function)
			scope = v->scopes[scope].parent;
		if (scope == NO_SCOPE || !v->scopes[scope].is_kernel || strcmp(v->scopes[scope].function, kernel) ||
		    one->nplaces != 1 || one->type == NO_TYPE)
			continue;
		struct source_place *p = &v->places[one->places];
		uint32_t bytes = v->types[one->type].bytes;
		if (p->kind == PLACE_MEMORY && p->space == SPACE_SHARED && p->nops == 1)
			found[n++] = (struct local){ .variable = one, .op = &v->ops[p->ops], .bytes = bytes,
						     .align = raised(alignment(v, one->type, 0), bytes) };
	}
	return n;
}

/* The variable for an offset in LLVM's order: higher alignment first, then larger, then by name; but into a gap before
 * an aligned offset goes what fits there. */
static struct local *next_local(struct local *list, unsigned n, uint32_t offset)
{
	struct local *best = NULL;
	bool aligned = false;

	for (unsigned i = 0; i < n; i++) {
		struct local *l = &list[i];
		bool fits = offset % l->align == 0;
		if (l->placed || (aligned && !fits))
			continue;
		if (!best || fits != aligned || l->align > best->align ||
		    (l->align == best->align && (l->bytes > best->bytes || (l->bytes == best->bytes &&
		     strcmp(l->variable->name, best->variable->name) < 0))))
			best = l;
		aligned = fits;
	}
	return best;
}

/* The debug information names the symbol KERNEL.VARIABLE of a variable in local memory, and no symbol table says where
 * that is. LLVM puts a kernel's variables one behind the other; if their sizes together are not the kernel's local
 * memory (some are gone, or the compiler goes by another order), the places stay unknown. */
static void place_locals(struct source_variables *v, const struct image_kernel *k)
{
	struct local list[LOCALS_MOST], *l;
	unsigned n = collect(v, k->name, list);
	uint32_t offset = 0, most = 1;

	for (unsigned i = 0; i < n; i++) {
		l = next_local(list, n, offset);
		if (!l || l->bytes > k->smem)
			break;
		offset = (offset + l->align - 1) / l->align * l->align;
		l->op->number = offset;
		l->placed = true;
		offset += l->bytes;
		most = l->align > most ? l->align : most;
	}
	if (offset != k->smem && (offset + most - 1) / most * most != k->smem)
		for (unsigned i = 0; i < n; i++)
			v->places[list[i].variable->places].kind = PLACE_UNREADABLE;
}

bool object_variables(struct object *o, struct image_kernel *k)
{
	if (!o->variables_read) {
		o->variables_read = true;
		o->variables = ARENA_NEW(&o->im->arena, struct source_variables);
		if (!o->variables)
			return load_no_memory(o->l);
		if (!read_all(o))
			return false;
	}
	if (!o->variables->nvariables)
		return true;
	place_locals(o->variables, k);
	k->variables = o->variables;
	return true;
}
