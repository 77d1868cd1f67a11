/* The state of a machine that was read from outside is checked member by member before the first use. A member without
 * a rule must be as prepared, so that a new member without a rule shows as a refused saved run, not as a word that
 * anybody may write. Rules belong to the owners of members: machine, instruction sets, observers. */
#ifndef WB_CORE_STATE_CHECK_H
#define WB_CORE_STATE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/lanes.h"

struct insn;

struct state_check {
	/* The offset in the bytes below of a place in the prepared machine's state. */
	size_t (*offset)(const struct state_check *c, const void *place);
	void *of;                       /* for `offset` */
	const uint8_t *read;            /* the state from outside; addresses are numbers of objects, 0: none */
	uint8_t *good;                  /* the prepared state, which becomes `read` member by member */
	const struct insn *insn;        /* of the program, by 4-byte word */
	uint32_t code_bytes;            /* of the program */
	const char *wrong;              /* name of the first wrong member; NULL: none so far */
};

/* Copy the members read for n bytes at a place of the machine. */
void state_get(const struct state_check *c, const void *place, void *out, size_t n);
/* The first condition that does not hold is kept in c->wrong. */
void state_must(struct state_check *c, bool holds, const char *wrong);
/* n bytes may be anything. */
void state_any(struct state_check *c, const void *place, size_t n);
/* n unsigned numbers of 1, 2, 4 or 8 bytes each are no more than `most`. */
void state_most(struct state_check *c, const void *place, size_t bytes, size_t n, uint64_t most, const char *wrong);
/* Lanes may go on at pc: an instruction begins there, or the address is outside of the program, where lanes fault. */
void state_goes_to(struct state_check *c, uint32_t pc);
/* n numbers of 4 bytes are code addresses within the program. */
void state_code(struct state_check *c, const void *place, size_t n);

#define STATE_GET(c, from, to) state_get(c, from, to, sizeof *(to))
#define STATE_ANY(c, member) state_any(c, &(member), sizeof(member))
#define STATE_MOST(c, member, most, wrong) state_most(c, &(member), sizeof(member), 1, most, wrong)
/* Members of a mask, beyond the lanes or warps that there are. */
#define STATE_MASK(c, member, mask, wrong) state_mask(c, &(member), sizeof(member) / 8, mask, wrong)
void state_mask(struct state_check *c, const void *place, size_t n, uint64_t mask, const char *wrong);

/* ---- rules of rooms below the machine ---- */

struct block;
struct warp;
/* Does a warp that was read run? Its id may be any, and is refused by a rule of its own. */
bool warp_runs(const struct block *b, const struct warp *read);

struct group;
struct groups;
struct rules;
/* Groups of lanes of a warp with these masks (core/diverge/groups.h). */
void groups_check(struct state_check *c, const struct groups *g, const struct rules *rules, lane_mask active,
		  lane_mask launched);

#endif
