/* A prepared program: the code of one kernel, decoded once, and what its warps need. Read-only while it runs. */
#ifndef WB_CORE_PROGRAM_H
#define WB_CORE_PROGRAM_H

#include "core/base/arena.h"
#include "core/isa.h"

#define RECONVERGE_NOWHERE UINT32_MAX

/* A fragments' input over the window: base + dx · x + dy · y, as bits of floats; where it is flat, the word `base`. */
struct plane {
	uint32_t base, dx, dy;
};

/* The input words of a fragment, floats: where its pixel is sampled, and for its centroid; whether it is covered (0:
 * it executes for the others of its quad, and gives no results). */
enum { FRAGMENT_X, FRAGMENT_Y, FRAGMENT_CENTROID_X, FRAGMENT_CENTROID_Y, FRAGMENT_COVERED, FRAGMENT_WORDS };

/* What goes into threads before they start and comes out of them: vertices, primitives, fragments. Thread t has words t
 * · in_words on of `in` and t · out_words on of `out`. */
struct stream {
	uint32_t threads;
	const uint32_t *in;
	uint32_t in_words;           /* of a thread: four for each of its input registers, where it has isa_inputs */
	const uint16_t *used;        /* by thread: registers that it gives, from the first on; NULL: all */
	uint32_t *out;               /* NULL: not wanted */
	uint32_t out_words;          /* of a thread, or of each vertex that it emits */
	/* Threads that emit vertices: thread t puts them one after another at t · emit_most vertices of `out`, at most
	 * emit_most of them, counts all that it emits in emitted[t], and sets `ends` of the last vertex of a strip to
	 * 1. Whatever is executed again has the same place. emit_most 0: they emit none. */
	uint32_t emit_most;
	uint32_t *emitted;
	uint8_t *ends;
	/* Words that the threads of one warp share: warp w of the launch has those from w · shared_words on. */
	const uint32_t *shared;
	uint32_t shared_words;
	/* Fragments: their inputs by word address, FRAGMENT_PLANES of them; `out` has one word more than out_words,
	 * which is 1 where there is a result. The number of the sample that they are for. */
	const struct plane *planes;
	uint32_t sample;
	/* Called for every primitive that a thread emits: three vertices of out_words each. NULL: not wanted. */
	void (*primitive)(void *context, uint32_t thread, bool winding, const uint32_t *vertices);
	void *context;
};

enum { FRAGMENT_PLANES = 256 };

struct program {
	struct isa_target target;    /* ISA, features, program type */
	const uint8_t *code;
	uint32_t code_bytes;         /* a multiple of 4 */
	uint32_t entry;              /* pc of the first instruction */
	uint32_t nreg;               /* registers of a thread */
	uint32_t local_bytes;        /* l[] bytes of a thread */
	/* registers that all threads of a launch read, in the ISA's layout; NULL: it has none */
	void *uniforms;
	const void *build;           /* the executors that bind chose, in the ISA's layout; NULL: it has one set */
	bool traces;                 /* `run` can leave the trace of a warp (exec.trace) */
	const char *traces_not;      /* why it cannot, where there is a word for it; else NULL */
	bool reads_place;            /* an instruction reads which multiprocessor or slot its warp is on */
	const struct stream *stream; /* inputs and outputs of each thread; NULL: none */
	/* Execute at most `budget` instructions of x->warp; stops early when the warp cannot go on. Returns the outcome
	 * of the last one (core/step.h). */
	int (*run)(struct exec *x, uint64_t budget);
	/* The same, one instruction at a time for an observer: x->step is complete. After `run` only its accesses are
	 * valid, those in exec.tally excepted. */
	int (*run_observed)(struct exec *x, uint64_t budget);
	/* The mode of the host's arithmetic that they need: callers surround them with program_enter and
	 * program_leave. NULL: any. */
	unsigned (*host_enter)(void);
	void (*host_leave)(unsigned mode);
	const struct threaded_code *threaded;   /* as core/isa/threaded.h wants it */
	const struct flow_ops *flow; /* the ISA's own: how control flow steers masks under the reconvergence rule */
	/* one for each 4-byte word: words after the last exit may be junk, and a jump may go anywhere, so every word is
	 * decoded where it stands */
	struct insn *insn;
	/* By word: where lanes that diverge there could reconverge, or RECONVERGE_NOWHERE; under RECONVERGE_IPDOM they
	 * do. NULL: not known. */
	uint32_t *reconvergence;
};

/* What threads put out is 0 again, as before the launch. */
void stream_clear(const struct stream *s);

/* Decode every word of p->code. False: the host has no memory. */
bool program_decode(struct program *p, struct arena *a);

static inline unsigned program_enter(const struct program *p)
{
	return p->host_enter ? p->host_enter() : 0;
}

static inline void program_leave(const struct program *p, unsigned mode)
{
	if (p->host_leave)
		p->host_leave(mode);
}

static inline const struct insn *program_at(const struct program *p, uint32_t pc)
{
	return &p->insn[pc >> 2];
}

/* Where the instruction at pc ends, for a pc that comes from a guest's stack, table or memory and may be anywhere: one
 * outside the code is returned as it is, and faults when the warp goes there (exec_begin). */
static inline uint32_t program_behind(const struct program *p, uint32_t pc)
{
	return pc < p->code_bytes ? pc + program_at(p, pc)->length : pc;
}

#endif
