/* Types and functions common to the files of the picasso front end. */
#ifndef WB_CORE_ISA_PICA_PICASSO_IMPL_H
#define WB_CORE_ISA_PICA_PICASSO_IMPL_H

#include "core/isa/pica/picasso.h"
#include "core/isa/pica/words.h"

enum { BLOCKS = 32, VERTEX_CODE = 512 /* words of the vertex unit's code memory; facts: picasso */ };

enum block_kind { BLOCK_PROC, BLOCK_FOR, BLOCK_IF, BLOCK_ARRAY };

struct block {
	enum block_kind kind;
	uint32_t opener, alternative;   /* words */
	bool has_else;
	struct token name;              /* of a procedure or an array */
	struct text_place position;
};

struct procedure {
	char *name;
	uint32_t word, length;
	UT_hash_handle hh;
};

/* Registers of a kind: shared ones are taken from `lowest` up, constants of a file from `end` down to `lowest`; `bound`
 * is the lowest constant of any file. */
struct pool {
	int lowest, end, bound, top;
};

/* A uniform of vertex shaders, at the same place in all files. */
struct uniform_name {
	char *name;
	unsigned type;                  /* enum shader_constant_type */
	int reg, size;
	struct text_place position;
	UT_hash_handle hh;
};

/* What a file says of its entry point. */
struct unit {
	struct shader_entry entry;
	uint32_t labels_capacity, uniforms_capacity, outputs_capacity, constants_capacity;
	bool absent;                    /* .nodvle: the file has procedures alone */
	bool own_uniforms;              /* .gsh with a mode: uniforms of its own */
	const char *entry_name;
	struct text_place entry_position;
	uint64_t wired;                 /* components with a meaning, 4 bits an output */
	struct pool pool[3];            /* by enum shader_constant_type, with own_uniforms */
	struct label *labels;
};

struct picasso {
	struct arena *arena;
	struct diag *d;
	struct pending *word;
	uint32_t nwords, words_capacity;
	struct symbol *aliases;
	struct procedure *procedures;
	struct uniform_name *uniforms;
	struct pool pool[3];            /* of vertex shaders */
	struct block block[BLOCKS];
	unsigned nblocks;
	bool block_closed;              /* the last word is the last of an IF or FOR */
	struct unit *unit;              /* of the open file */
	/* The open array of constants: elements so far, and as declared; 0: as many as follow. */
	int elements, declared;
	uint32_t element[SHADER_FLOATS][4];
};

/* ---- names ---- */

/* A new name for a register: refused if taken, or a register's own. */
bool new_name(struct picasso *p, const struct line *line, const struct token *t);
/* Names the register, from *line's next token on: [-]name[index][.components]. */
bool read_operand(struct picasso *p, struct line *line, struct operand *out);
/* .xyzw, a selection among the operand's components, if a point is next; the last component repeats up to four. */
bool read_components(struct picasso *p, struct line *line, struct operand *out);
bool add_alias(struct picasso *p, const struct token *t, const struct operand *value);
/* A register of a file, with all its components. */
struct operand whole_register(unsigned file, int reg);
/* Names for messages: `vrcoiba` of a file as "a float uniform", …. */
const char *file_noun(unsigned file);

/* ---- parts of a program ---- */

/* A directive, with the cursor behind the point. */
bool read_directive(struct picasso *p, struct line *line);
/* .proc, .else, and .end of a procedure, if or for */
bool open_procedure(struct picasso *p, struct line *line);
bool open_block(struct picasso *p, const struct line *line, enum block_kind kind, const struct token *name);
bool read_else(struct picasso *p, struct line *line);
bool read_end(struct picasso *p, struct line *line);
/* An instruction. */
bool read_instruction(struct picasso *p, struct line *line);
/* The pending word of a row of the instruction table; NULL: no place left, told in *d. */
struct pending *add_row(struct picasso *p, const struct line *line, const char *row);
/* Words and operand descriptors of the whole program. */
bool finish_words(struct picasso *p, const char *file, struct shader *out);
bool picasso_no_memory(struct picasso *p);

#endif
