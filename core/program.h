/* A prepared program: the code of one kernel, decoded once, and the needs of its warps. Read-only during a run. */
#ifndef WB_CORE_PROGRAM_H
#define WB_CORE_PROGRAM_H

#include "core/base/arena.h"
#include "core/isa.h"

#define RECONVERGE_NOWHERE UINT32_MAX

/* A fragments' input over the window: base + dx · x + dy · y, as bits of floats; of a flat input, the word `base`. */
enum plane_kind { PLANE_ABSENT, PLANE_GIVEN, PLANE_W_UNUSED /* 1/W, and no attribute is in perspective */ };
struct plane {
	uint32_t base, dx, dy;
	enum plane_kind kind;
};

/* The input words of a fragment, floats: position of its sample and of its centroid; whether the pixel is covered (0: a
 * helper thread without results). */
enum { FRAGMENT_X, FRAGMENT_Y, FRAGMENT_CENTROID_X, FRAGMENT_CENTROID_Y, FRAGMENT_COVERED, FRAGMENT_WORDS };

/* Inputs and outputs of threads: vertices, primitives, fragments. Thread t has the words from t · in_words on of `in`,
 * and from t · out_words on of `out`. */
struct stream {
	uint32_t threads;
	const uint32_t *in;
	uint32_t in_words;           /* words of a thread: four for each input register with isa_inputs */
	const uint16_t *used;        /* by thread: input registers with values, from the first on; NULL: all */
	uint32_t *out;               /* NULL: not wanted */
	uint32_t out_words;          /* words of a thread, or of each emitted vertex */
	/* Threads that emit vertices: thread t writes its vertices one after another from vertex t · emit_most of `out`
	 * on, at most emit_most, counts all in emitted[t], and sets `ends` of a strip's last vertex to 1. A repeated
	 * execution writes the same words. emit_most 0: threads emit nothing. */
	uint32_t emit_most;
	uint32_t *emitted;
	uint8_t *ends;
	/* Words shared by the threads of a warp: warp w of the launch has the words from w · shared_words on. */
	const uint32_t *shared;
	uint32_t shared_words;
	/* Fragments: FRAGMENT_PLANES planes of inputs by word address; the last word of a fragment's `out`, behind
	 * out_words, is 1 with a result. Number of the fragments' sample. */
	const struct plane *planes;
	uint32_t sample;
	/* Called for every emitted primitive: three vertices of out_words each. NULL: no calls. */
	void (*primitive)(void *context, uint32_t thread, bool winding, const uint32_t *vertices);
	void *context;
};

enum { FRAGMENT_PLANES = 256 };

struct program {
	struct isa_target target;    /* ISA, features, program type */
	const uint8_t *code;
	uint32_t code_bytes;         /* a multiple of 4 */
	uint32_t entry;              /* pc of the first instruction */
	/* the code that lanes may reach, from reach_begin up to but not including reach_end; of a library of kernels
	 * the kernel's own */
	uint32_t reach_begin, reach_end;
	uint32_t nreg;               /* registers of a thread */
	uint32_t local_bytes;        /* l[] bytes of a thread */
	/* registers that all threads of a launch read, in the ISA's layout; NULL: none */
	void *uniforms;
	const void *build;           /* executors chosen by bind, in the ISA's layout; NULL: the ISA has one set */
	bool traces;                 /* `run` can leave the trace of a warp (exec.trace) */
	const char *traces_not;      /* reason why `run` cannot leave a trace, if named; else NULL */
	bool reads_place;            /* an instruction reads its multiprocessor or slot */
	bool reads_halves;           /* an instruction reads numbers of blocks as halves of s[]: 16 bits, two
				      * dimensions */
	const struct stream *stream; /* inputs and outputs of each thread; NULL: none */
	/* Execute at most `budget` instructions of x->warp; stops early when the warp must wait or ends. Returns the
	 * outcome of the last instruction (core/step.h). */
	int (*run)(struct exec *x, uint64_t budget);
	/* The same for an observer, one instruction at a time: x->step is complete. After `run`, only its accesses are
	 * valid, without the accesses in exec.tally. */
	int (*run_observed)(struct exec *x, uint64_t budget);
	/* Set and restore the host's arithmetic mode: callers of run use program_enter and program_leave. NULL: any
	 * mode. */
	unsigned (*host_enter)(void);
	void (*host_leave)(unsigned mode);
	const struct threaded_code *threaded;   /* threaded code of core/isa/threaded.h */
	/* Memory for parts of the threaded code made at first use, by any thread of the launch; freed by the program's
	 * owner. NULL: such parts are not made, and their instructions take the slow path. */
	struct arena *late;
	const struct flow_ops *flow; /* the ISA's rules of control flow under the reconvergence rule */
	/* One for each 4-byte word, because a jump may go to any word, and words after the last exit may be junk. Of
	 * machines with isa_ops.leads, a word that no path reaches is not decoded: its length is 0. */
	struct insn *insn;
	/* By word: reconvergence point of lanes that diverge there, or RECONVERGE_NOWHERE, for policies
	 * and warnings. NULL: unknown. */
	uint32_t *reconvergence;
};

/* Clear the outputs of threads, as before the launch. */
void stream_clear(const struct stream *s);

/* Decode p->code from its first byte, its entry and the targets of its jumps on; every word, if an instruction may lead
 * anywhere. False: the host has no memory. */
bool program_decode(struct program *p, struct arena *a);
/* Find what lanes may reach of a decoded program: all, if an instruction that is reached may lead anywhere. False: the
 * host has no memory. */
bool program_find_reach(struct program *p);

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

/* The end of the instruction at pc, for a pc from a guest's stack, table or memory: a pc outside the code is returned
 * unchanged, and faults when the warp arrives (exec_begin). */
static inline uint32_t program_behind(const struct program *p, uint32_t pc)
{
	return pc < p->code_bytes ? pc + program_at(p, pc)->length : pc;
}

#endif
