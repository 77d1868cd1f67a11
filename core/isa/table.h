/* The table behind an instruction set, and decoding by it. Four layers, all of them data:
 *
 *   field   a number in the word: one or two runs of bits
 *   kind    an operand or a modifier: a list of alternatives chosen by mode bits of the word
 *   form    a word's length and what all its instructions share: markers, guard
 *   row     one instruction: its fixed bits and its text
 *
 * The text of a row is a template, "set {cc} {Dw} {icond} {us32} {A1w} {B2w}": words that stand for themselves and
 * names of kinds in braces. An alternative may have a template too, which precedes its own field. Decoding, printing
 * and assembling all walk the same templates, so that what one of them knows the others know. "{name:d}" and "{name:0}"
 * … "{name:3}" send an operand to dst or src[0…3] instead of the place that its kind names. */
#ifndef WB_CORE_ISA_TABLE_H
#define WB_CORE_ISA_TABLE_H

#include "core/isa.h"

/* Bits that must have a value: the values in the upper 64 bits, which bits are meant in the lower. Conditions on
 * different bits are joined with |. */
typedef unsigned __int128 isa_cond;
#define ISA_ONES(n) ((n) >= 64 ? ~0ull : (1ull << ((n) & 63)) - 1)
#define IS(lo, n, v) (((isa_cond)((uint64_t)(v) << (lo)) << 64) | (isa_cond)(ISA_ONES(n) << (lo)))
#define BIT(b) IS(b, 1, 1)
#define CLR(b) IS(b, 1, 0)
#define ANY ((isa_cond)0)

static inline uint64_t isa_cond_mask(isa_cond c)
{
	return (uint64_t)c;
}

static inline uint64_t isa_cond_value(isa_cond c)
{
	return (uint64_t)(c >> 64);
}

static inline bool isa_holds(isa_cond c, uint64_t word)
{
	return ((word ^ isa_cond_value(c)) & isa_cond_mask(c)) == 0;
}

/* n bits from bit lo on, then n2 more significant ones from bit lo2 on. No bits: the number 0. */
struct isa_field {
	uint8_t lo, n, lo2, n2;
};

/* ISA_FIELD(lo, n) or ISA_FIELD(lo, n, lo2, n2), also from macros that stand for such numbers. */
#define ISA_FIELD(...) ISA_FIELD_OF(__VA_ARGS__, 0, 0, 0, 0)
#define ISA_FIELD_OF(lo_, n_, lo2_, n2_, ...) { lo_, n_, lo2_, n2_ }

static inline uint64_t isa_field_mask(struct isa_field f)
{
	return ISA_ONES(f.n) << f.lo | ISA_ONES(f.n2) << f.lo2;
}

/* Most fields are one run. */
static inline uint64_t isa_field_get(struct isa_field f, uint64_t word)
{
	uint64_t v = word >> f.lo & ISA_ONES(f.n);
	return f.n2 ? v | (word >> f.lo2 & ISA_ONES(f.n2)) << f.n : v;
}

/* Where the value of a kind goes in struct insn. */
enum isa_to {
	TO_NONE,                    /* nowhere; in a nested kind: where its parent's value goes */
	TO_DST, TO_SRC0, TO_SRC1, TO_SRC2, TO_SRC3,
	TO_FLAGS, TO_PRED, TO_PRED_REG, TO_MARKS, TO_LANES,
	TO_MOD,                     /* TO_MOD + slot */
};

enum isa_alt_status {
	ALT_UNDOC = 1,      /* known to the machine, not to the public disassembler: decoded, printed only on demand */
	ALT_QUIRK = 2,      /* the other way round: the public disassembler's text for bits that mean something else */
	ALT_LOOSE = 4,      /* the machine acts on bits that the public disassembler calls unknown: claims nothing */
};

enum isa_alt_flags {
	ALT_SIGNED = 1,     /* the number is signed */
	ALT_WRAPS = 2,      /* the number is unsigned, but a negative one may be written */
	ALT_POST = 4,       /* memory: post-increment */
	ALT_BYREG = 8,      /* memory: the address is the register in `num` */
	ALT_HALVES = 16,    /* register: even numbers are low halves, odd ones high halves of register num / 2 */
	ALT_UNSCALED = 32,  /* memory: the text has the field's number, not the value, which is 1 << shift times it */
};

/* One way to read an operand. The value is (num << shift); how it is written follows from the shape:
 * register "$r5" (name, number, tail), memory "c3[$a1+0x10]" (name, bank, address register, offset). */
struct isa_alt {
	isa_cond when;              /* bits that select it */
	uint32_t modes;             /* program types that have it; 0 = all */
	uint32_t features;          /* features that it needs */
	const char *text;           /* template that goes before; NULL = none */
	const char *name;           /* register file or memory space in text */
	const char *tail;           /* follows a register's number; NULL = none */
	const char *const *names;   /* the value is written as one of these: NULL = invalid, "" = not at all */
	const char *areg;           /* memory: the address register's name */
	struct isa_field num;       /* register, offset, immediate, index into names */
	union {
		struct isa_field bank;  /* memory */
		struct isa_field more;  /* vector: how many slots beyond `value` */
	};
	union {
		struct isa_field addr;  /* memory: address register, 0 = none */
		struct isa_field slots; /* vector: mask of the enabled slots; no bits = all */
	};
	uint16_t value;             /* of a modifier that has no field; vector: count */
	uint8_t shape, file, width, is_signed, shift;
	uint16_t nnames;
	uint8_t flags;              /* enum isa_alt_flags */
	uint8_t status;             /* enum isa_alt_status, 0 = documented */
};

enum { ISA_KIND_NAME = 8 };

struct isa_kind {
	char name[ISA_KIND_NAME];   /* padded with 0, not terminated when it fills the array */
	uint8_t to;                 /* enum isa_to */
	uint8_t nalt;
	uint64_t claims;            /* bits that the kind accounts for whichever alternative holds */
	const struct isa_alt *alt;  /* the first that holds is meant */
};

struct isa_form {
	const char *name;
	uint8_t length, align;      /* bytes */
	bool wide;                  /* may be demanded with the table's `wide` prefix */
	isa_cond when, unless;      /* unless: ANY = never */
	const char *prefix;         /* template before every row's */
};

enum isa_row_flags {
	ROW_UNDOC = 1,      /* as ALT_UNDOC; a documented row that matches comes first */
	ROW_LOSSY = 2,      /* the public text does not tell all its words apart */
};

struct isa_row {
	uint16_t exec;
	uint8_t form, flags;
	uint32_t modes, features;
	isa_cond when;              /* fixed bits, those of the form apart */
	const char *text;
};

struct isa_label {
	const char *name;
	uint32_t pc;
};

struct isa_exec_info {
	const char *name, *meaning;
	uint8_t lat;                /* its class, of isa_table.issue */
};

struct isa_name {
	const char *name;
	uint32_t value;
};

struct isa_index;

struct isa_table {
	const char *name, *title;
	/* made of what follows: core/isa/index.h; NULL: decode, print and parse are the machine's own */
	const struct isa_index *index;
	const char *wide;           /* the prefix that forbids short forms */
	const struct isa_form *form;
	const struct isa_kind *kind;
	const struct isa_row *row;
	const struct isa_exec_info *exec;   /* by row->exec */
	const struct issue_model *issue;    /* units, classes, counters */
	/* What the reference says of a row whose text is no template: operands, bits, chips, each of at most `size`
	 * characters. NULL: text, conditions and features say it. */
	void (*describe)(unsigned row, char *text, char *bits, char *chips, size_t size);
	const struct isa_name *chips, *modes;   /* features of chips, bits of program types; ended by a NULL name */
	unsigned nform, nkind, nrow, nexec;
	const char *chip, *mode;    /* defaults */
	uint8_t unit;               /* bytes that every length is a multiple of */
	uint8_t always;             /* the guard of rows that have none */
};

/* A piece of a template: a word or a kind. */
struct isa_token {
	const char *word;           /* not terminated */
	int16_t kind;               /* its number in the table; negative: a word */
	uint8_t len;
	uint8_t to;                 /* place given in the template, TO_NONE = the kind's own */
};

/* Take the next piece of *text; false at its end. A name that is no kind is a word that begins with the brace. The
 * engine has them all in the table's index. */
bool isa_token_next(const struct isa_table *t, const char **text, struct isa_token *tok);

/* The alternative of k that holds for the word under the target, skipping those with a status of `skip`; NULL if none.
 * */
const struct isa_alt *isa_alt_find(const struct isa_target *t, const struct isa_kind *k, uint64_t word, unsigned skip);
/* The alternative's number in the word: sign applied, scaled. */
int64_t isa_alt_value(const struct isa_alt *a, uint64_t word);
/* How the alternative writes the word, if it has names: NULL = the word is invalid. */
const char *isa_alt_name(const struct isa_alt *a, uint64_t word);

/* The form of a word, of which the lowest `bytes` bytes are known; NULL if none. */
const struct isa_form *isa_form_find(const struct isa_table *t, uint64_t word, unsigned bytes);
/* The row of a word, documented ones first; NULL if none. */
const struct isa_row *isa_row_find(const struct isa_target *t, uint64_t word);

/* Decode one whole word. Sets every field of *out but pc and exec; false, with row NULL, if it is no instruction. */
bool isa_decode_word(const struct isa_target *t, uint64_t word, struct insn *out);
/* The same for the instruction at byte pc of a program: the decode function of ISAs whose words follow one another. */
bool isa_decode_at(const struct isa_target *t, const uint8_t *code, size_t size, uint32_t pc, struct insn *out);

/* How many registers of file 0 an operand needs to exist: one more than the highest that it names. */
static inline unsigned isa_operand_registers(const struct opnd *o)
{
	if (o->shape == OPND_VECTOR)
		return o->reg + (unsigned)__builtin_popcount(o->mask);
	if (o->shape == OPND_REG && o->file == 0)
		return o->width == 2 ? o->reg / 2u + 1 : o->reg + (o->width + 3u) / 4;
	return o->shape == OPND_MEM && o->reg ? o->reg + 1u : 0;
}

/* How many registers of file 0 an instruction needs to exist: one more than the highest that it names. */
unsigned isa_registers(const struct insn *in);

/* Look a chip or program type up; false if there is none of this name. */
bool isa_name_find(const struct isa_name *list, const char *name, size_t len, uint32_t *value);

#endif
