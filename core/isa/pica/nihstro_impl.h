/* Types and functions common to the files of the nihstro front end. */
#ifndef WB_CORE_ISA_PICA_NIHSTRO_IMPL_H
#define WB_CORE_ISA_PICA_NIHSTRO_IMPL_H

#include "core/isa/pica/nihstro.h"
#include "core/isa/pica/words.h"

enum { SCOPES = 32 };

struct scope {
	bool loop, has_else;
	uint32_t opener, alternative;   /* words */
	struct text_place position;
};

struct nihstro {
	const struct nihstro_options *options;
	struct arena *arena;
	struct diag *d;
	struct symbol *symbols;
	struct label *labels;
	struct pending *word;           /* SHADER_MAX_CODE words */
	uint32_t nwords;
	struct scope scope[SCOPES];
	unsigned nscopes;
	int includes;                   /* open .include files */
	struct shader_entry entry;
	uint32_t labels_capacity, uniforms_capacity, outputs_capacity, constants_capacity;
};

/* Registers and aliases. */
bool symbol_find(struct nihstro *n, const struct token *t, struct operand *out);
/* Check a new name: refused if taken or reserved. */
bool name_is_free(struct nihstro *n, const struct line *line, const struct token *t);
/* [-]name[index][.mask]… */
bool parse_operand(struct nihstro *n, struct line *line, struct operand *out);
/* .mask, a selection among the operand's components. */
bool parse_mask(struct nihstro *n, struct line *line, struct operand *out);

/* A directive, with `at` behind the point. */
bool parse_alias(struct nihstro *n, struct line *line);
/* An instruction. */
bool parse_instruction(struct nihstro *n, struct line *line);
bool mnemonic_exists(const struct token *t);

/* Resolve labels and descriptors: the pending words become the words of *out. */
bool finish_program(struct nihstro *n, struct shader *out);

#endif
