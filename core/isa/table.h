/* The table behind an instruction set, and decoding by the table. Four layers, all of them data:
 *
 *   field   a number in the word: one or two runs of bits
 *   kind    an operand or a modifier: a list of alternatives chosen by mode bits of the word
 *   form    a word's length and the properties that all its instructions share: markers, guard
 *   row     one instruction: its fixed bits and its text
 *
 * The text of a row is a template, "set {cc} {Dw} {icond} {us32} {A1w} {B2w}": literal words, and names of kinds in
 * braces. An alternative may have a template too, in front of its own field. Decoding, printing and assembling all walk
 * the same templates, so a fact known to one is known to all. "{name:d}" and "{name:0}" … "{name:3}" send an operand to
 * dst or src[0…3] instead of the kind's place. */
#ifndef WB_CORE_ISA_TABLE_H
#define WB_CORE_ISA_TABLE_H

#include "core/isa.h"

/* Bits that must have a value: the values in the upper 64 bits, the mask of the bits in the lower. Conditions on
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

/* n bits from bit lo on, then n2 more significant bits from bit lo2 on. No bits: the number 0. */
struct isa_field {
	uint8_t lo, n, lo2, n2;
};

/* ISA_FIELD(lo, n) or ISA_FIELD(lo, n, lo2, n2), also with macros for the numbers. */
#define ISA_FIELD(...) ISA_FIELD_OF(__VA_ARGS__, 0, 0, 0, 0)
#define ISA_FIELD_OF(lo_, n_, lo2_, n2_, ...) { lo_, n_, lo2_, n2_ }

static inline uint64_t isa_field_mask(struct isa_field f)
{
	return ISA_ONES(f.n) << f.lo | ISA_ONES(f.n2) << f.lo2;
}

/* Most fields are a single run of bits. */
static inline uint64_t isa_field_get(struct isa_field f, uint64_t word)
{
	uint64_t v = word >> f.lo & ISA_ONES(f.n);
	return f.n2 ? v | (word >> f.lo2 & ISA_ONES(f.n2)) << f.n : v;
}

/* Where the value of a kind goes in struct insn. */
enum isa_to {
	TO_NONE,                    /* no place; in a nested kind: the parent's place */
	TO_DST, TO_SRC0, TO_SRC1, TO_SRC2, TO_SRC3,
	TO_FLAGS, TO_PRED, TO_PRED_REG, TO_MARKS, TO_LANES,
	TO_MOD,                     /* TO_MOD + slot */
};

enum isa_alt_status {
	ALT_UNDOC = 1,      /* known to the machine, not to the public disassembler: decoded, printed only on demand */
	ALT_QUIRK = 2,      /* the other way round: the public disassembler's text for bits with another meaning */
	ALT_LOOSE = 4,      /* the machine acts on bits that the public disassembler calls unknown: claims nothing */
};

enum isa_alt_flags {
	ALT_SIGNED = 1,     /* the number is signed */
	ALT_WRAPS = 2,      /* the number is unsigned, but may be written with a sign */
	ALT_POST = 4,       /* memory: post-increment */
	ALT_BYREG = 8,      /* memory: the address is the register in `num` */
	ALT_HALVES = 16,    /* register: even numbers are low halves, odd numbers high halves of register num / 2 */
	ALT_UNSCALED = 32,  /* memory: the text has the field's number; the value is 1 << shift times the number */
};

/* A way to read an operand. The value is (num << shift); the shape decides the text: register "$r5" (name, number,
 * tail), memory "c3[$a1+0x10]" (name, bank, address register, offset). */
struct isa_alt {
	isa_cond when;              /* bits that select the alternative */
	uint32_t modes;             /* program types with the alternative; 0 = all */
	uint32_t features;          /* features needed */
	const char *text;           /* template in front of the field; NULL = none */
	const char *name;           /* register file or memory space in text */
	const char *tail;           /* follows a register's number; NULL = none */
	const char *const *names;   /* texts of the values: NULL = invalid, "" = no text */
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
	uint16_t value;             /* of a modifier without a field; vector: count */
	uint8_t shape, file, width, is_signed, shift;
	uint16_t nnames;
	uint8_t flags;              /* enum isa_alt_flags */
	uint8_t status;             /* enum isa_alt_status, 0 = documented */
};

enum { ISA_KIND_NAME = 8 };

struct isa_kind {
	char name[ISA_KIND_NAME];   /* padded with 0, without a 0 in a full array */
	uint8_t to;                 /* enum isa_to */
	uint8_t nalt;
	uint64_t claims;            /* bits that the kind accounts for whichever alternative holds */
	const struct isa_alt *alt;  /* tried in order: the first that holds counts */
};

struct isa_form {
	const char *name;
	uint8_t length, align;      /* bytes */
	bool wide;                  /* may be demanded with the table's `wide` prefix */
	isa_cond when, unless;      /* unless: ANY = never */
	const char *prefix;         /* template before every row's */
};

enum isa_row_flags {
	ROW_UNDOC = 1,      /* as ALT_UNDOC; a matching documented row comes first */
	ROW_LOSSY = 2,      /* the public text does not tell all words of the row apart */
	ROW_ALIAS = 4,      /* another text of a row above, for the assembler: no word is printed by an alias */
};

struct isa_row {
	uint16_t exec;
	uint8_t form, flags;
	uint32_t modes, features;
	isa_cond when;              /* fixed bits outside of the form */
	const char *text;
};

struct isa_label {
	const char *name;
	uint32_t pc;
};

struct isa_exec_info {
	const char *name, *meaning;
	uint8_t lat;                /* latency class, of isa_table.issue */
	uint8_t traits;             /* set of the instruction set's own traits, as its ops.h names them */
};

struct isa_name {
	const char *name;
	uint32_t value;
};

struct isa_index;

/* A common mistake in assembly and the way out; the members are explained in tesla/hints.def. */
struct isa_hint { const char *before, *found, *text; };

struct isa_table {
	const char *name, *title;
	/* of the members below, made at first use: core/isa/index.h; NULL: decode, print, parse are the machine's */
	struct isa_index *index;
	const char *wide;           /* the prefix that forbids short forms */
	const struct isa_form *form;
	const struct isa_kind *kind;
	const struct isa_row *row;
	const struct isa_exec_info *exec;   /* by row->exec */
	const struct issue_model *issue;    /* units, classes, counters */
	/* The reference's text of a row without a template: operands, bits, chips, each of at most `size` characters.
	 * NULL: text, conditions and features suffice. */
	void (*describe)(unsigned row, char *text, char *bits, char *chips, size_t size);
	const struct isa_name *chips, *modes;   /* features of chips, bits of program types; ended by a NULL name */
	const struct isa_hint *hints;   /* ended by a NULL text; NULL: none */
	unsigned nform, nkind, nrow, nexec;
	const char *chip, *mode;    /* defaults */
	const char *compiler;       /* command that compiles a source for the chip named behind; NULL: unknown */
	struct isa_field opcode;    /* bits of words that leave few rows; any bits are right */
	uint8_t unit;               /* bytes; every length is a multiple */
	uint8_t always;             /* guard of rows without a guard */
	/* Register of file 0 that compilers read as 0, as the number is beyond every allocation; 0: none. */
	uint16_t zero;
};

/* A piece of a template: a word or a kind. */
struct isa_token {
	const char *word;           /* not terminated */
	int16_t kind;               /* number of the kind in the table; negative: a word */
	uint8_t len;
	uint8_t to;                 /* place given in the template, TO_NONE = the kind's own */
};

/* The alternative of k that holds for the word under the target, skipping alternatives with a status of `skip`; NULL
 * for none. */
const struct isa_alt *isa_alt_find(const struct isa_target *t, const struct isa_kind *k, uint64_t word, unsigned skip);
/* The alternative's number in the word: sign applied, scaled. */
int64_t isa_alt_value(const struct isa_alt *a, uint64_t word);
/* The alternative's name for the word, if the alternative has names: NULL = the word is invalid. */
const char *isa_alt_name(const struct isa_alt *a, uint64_t word);

/* The form of a word whose lowest `bytes` bytes are known; NULL for none. */
const struct isa_form *isa_form_find(const struct isa_table *t, uint64_t word, unsigned bytes);
/* The row of a word, documented rows first; NULL for none. */
const struct isa_row *isa_row_find(const struct isa_target *t, uint64_t word);

/* Decode one whole word. Sets every field of *out but pc and exec; false, with row NULL, for a word that is no
 * instruction. */
bool isa_decode_word(const struct isa_target *t, uint64_t word, struct insn *out);
/* Decode the instruction at byte pc of a program, for ISAs whose words follow one another. */
bool isa_decode_at(const struct isa_target *t, const uint8_t *code, size_t size, uint32_t pc, struct insn *out);

/* Registers of file 0 that an operand needs: the highest number plus 1. */
static inline unsigned isa_operand_registers(const struct opnd *o)
{
	if (o->shape == OPND_VECTOR)
		return o->reg + (unsigned)__builtin_popcount(o->mask);
	if (o->shape == OPND_REG && o->file == 0)
		return o->width == 2 ? o->reg / 2u + 1 : o->reg + (o->width + 3u) / 4;
	return o->shape == OPND_MEM && o->reg ? o->reg + 1u : 0;
}

/* Registers of file 0 that an instruction needs: the highest number plus 1. */
unsigned isa_registers(const struct insn *in);
/* The same, but for reads of the table's register `zero`. */
unsigned isa_registers_allocated(const struct isa_table *t, const struct insn *in);

/* Look up a chip or program type by name; false if unknown. */
bool isa_name_find(const struct isa_name *list, const char *name, size_t len, uint32_t *value);

#endif
