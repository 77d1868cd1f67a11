/* State of a PICA warp beside its registers: one vertex a lane, each lane with the control flow of a shader unit. */
#ifndef WB_CORE_ISA_PICA_STATE_H
#define WB_CORE_ISA_PICA_STATE_H

#include "core/base/vector.h"
#include "core/isa/exec.h"
#include "core/isa/pica/pica.h"
#include "core/isa/threaded.h"
#include "core/shader.h"

/* Rows of warp.reg: four for each register, inputs and temporaries by source number. */
enum { ROWS_OUTPUT = 4 * 32, ROWS_VECTORS = 4 * SHADER_VECTORS };

/* Registers with a scoreboard entry: r0 … r15, a0.x, a0.y, aL, the flags. */
enum { PICA_SCOREBOARD = SHADER_VECTORS + 3 + 1 };

/* struct program.uniforms: registers that all vertices read. A float uniform is the same word in all lanes of its rows,
 * so that executors need not tell uniforms from registers. Geometry shaders with primitives of several vertices as
 * inputs find the inputs in uniforms: a warp then has uniforms of its own, different from lane to lane. */
struct pica_uniforms {
	struct row f[SHADER_FLOATS + 1][4];     /* the last one is (1, 1, 1, 1): what indices out of range read */
	/* the words common to all lanes, uniforms set by lanes apart (index_lanes) */
	uint32_t alike[SHADER_FLOATS + 1][4];
	uint8_t i[SHADER_INTS][4];
	uint16_t b;                             /* bit n = bn */
	/* Bit n: the program reads vn, writes on, writes rn. Others need not be brought in, taken out or cleared. */
	uint16_t reads, writes, temporaries;
	uint16_t wants;         /* v registers read by the entry's code */
	uint8_t receives;       /* first uniform that takes inputs; SHADER_FLOATS: inputs are v registers */
	bool ordinary;          /* all float uniforms are (f24_ordinary) */
};

/* All registers 0 and false. */
void pica_uniforms_clear(struct pica_uniforms *u);
bool pica_prepare(struct program *p, const struct image_kernel *k, struct arena *a, struct diag *d);
/* "NAME=V[,V]…" or "c4=…", "i1=…", "b2=true": consecutive components of consecutive registers. */
bool pica_uniform(struct program *p, const struct image_kernel *k, const char *text, struct diag *d);
bool pica_edges(const struct program *p, struct isa_edge (*edge)[2]);
void pica_inputs(const struct program *p, const struct image_kernel *k, struct isa_inputs *out);
bool pica_assemble(const struct isa_source *source, struct image *im, struct diag *d);
void pica_uniform_float(struct pica_uniforms *u, unsigned reg, unsigned component, uint32_t value);

enum { CALL_DEPTH = 4, IF_DEPTH = 8, LOOP_DEPTH = 4, NOWHERE = 0xffffffff };

/* The three stacks of a shader unit (seed 003, "Control Flow"). Unused entries are 0, so that equal stacks are equal
 * bytes. */
struct scopes {
	uint32_t ncall, nif, nloop;
	struct { uint32_t end, back; } call[CALL_DEPTH];        /* byte addresses */
	struct { uint32_t end, to; } cond[IF_DEPTH];
	struct { uint32_t begin, end, step, remaining; } loop[LOOP_DEPTH]; /* remaining: iterations after the present */
};

/* Lanes at the same place with the same stacks. */
struct path {
	lane_mask lanes;
	uint32_t pc;
	uint32_t cause;         /* the branch that split off the path, for the bill */
	struct scopes scopes;
};

/* A geometry shader's unit: by lane, the operands of SETEMIT, the emitted vertices, the second bank of output
 * registers. */
struct geometry {
	struct row vertex, prim, winding;
	struct row bank[ROWS_VECTORS];
	struct row vertices[4][ROWS_VECTORS];
};

struct pica_warp {
	struct row address[3];                  /* a0.x, a0.y, aL, signed */
	lane_mask flag[2];                      /* cmp.x, cmp.y */
	const struct pica_uniforms *uniforms;
	struct geometry *geometry;              /* NULL in vertex shaders */
	uint32_t watch[3];                      /* where the scopes on top of the stacks end */
	struct path now;
	unsigned nwaiting;
	uint32_t first_thread;                  /* of lane 0 */
	bool ordinary;                          /* no v, r or c is subnormal */
	/* A waiting path may have to run, or to join the running path, between the places where control flow puts paths
	 * (pica_code.arrivals). */
	bool single;
	/* Not cleared when a warp starts: */
	struct path waiting[LANES];
	struct row outer_loop[LOOP_DEPTH];      /* aL before each LOOP on the stack */
	struct row made[3][4];                  /* sources that are not whole rows, made by component */
};

/* Bytes of the two addresses (isa_ops.warp_addresses). */
enum { PICA_WARP_ADDRESSES = offsetof(struct pica_warp, geometry) + sizeof(struct geometry *) -
			     offsetof(struct pica_warp, uniforms) };

/* struct program.threaded of a PICA program. By word of code: */
struct pica_code {
	struct threaded_code engine;                    /* first: a pointer to either is a pointer to both */
	const struct threaded_op *const *compute;       /* the work alone, of arithmetic instructions */
	/* by word, and one past the last: a scope may end there, or a path arrive from elsewhere */
	const bool *arrivals;
};

static inline struct pica_warp *pica_state(const struct warp *w)
{
	return w->state;
}

static inline struct row *output_rows(const struct warp *w)
{
	return w->reg + ROWS_OUTPUT;
}

/* Lanes with boolean uniform `reg` set. b15 is set after every invocation of a geometry shader, so that only the first
 * invocation sees the user's value (spec pica 19). */
static inline lane_mask bool_lanes(const struct pica_warp *s, unsigned reg)
{
	lane_mask set = s->uniforms->b >> reg & 1 ? ~0ull : 0;

	if (s->geometry && reg == SHADER_BOOLS - 1)
		set |= s->first_thread ? ~0ull : ~1ull;
	return set;
}

size_t pica_warp_bytes(const struct program *p, const struct rules *rules);
void pica_check_state(struct state_check *c, const struct program *p, const struct rules *rules, const struct block *b,
		      const struct warp *w, const struct warp *read);
void pica_start_block(struct block *b, const struct launch_params *params);
void pica_clear_warp(struct warp *w, const struct program *p);
void pica_start_warp(struct block *b, struct warp *w, const struct program *p, const struct rules *rules);
uint32_t *pica_reg(struct warp *w, const char *file, unsigned reg, unsigned lane);
bool pica_peek(const struct warp *w, const char *name, unsigned lane, uint32_t *value);
enum isa_scope pica_scope(const struct warp *w, const char *name);
unsigned pica_stack(const struct warp *w, unsigned level, struct isa_stack_entry *out);
bool pica_bind(struct program *p, unsigned simd, const struct rules *rules, struct arena *a);
struct pica_build;
bool pica_translate(const struct program *p, struct pica_code *out, const struct pica_build *build,
		    const struct rules *rules, struct arena *a);
/* Offsets of the geometry unit and of the own uniforms in a warp's state, in bytes; does a program have such uniforms?
 * (core/isa/pica/state.c) */
size_t pica_geometry_offset(void);
size_t pica_uniforms_offset(void);
bool pica_receives(const struct program *p);
int pica_run(struct exec *x, uint64_t budget);
int pica_run_precise(struct exec *x, uint64_t budget);
int pica_execute(struct exec *x, const struct insn *in);
void pica_ports(const struct program *p, const struct insn *in, struct ports *out);
void pica_port_name(unsigned port, char *text, size_t size);

extern const struct isa_ops pica_isa;

#endif
