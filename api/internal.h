/* What the composer's parts share: a loaded program, a launch, and the multiprocessors that run it. */
#ifndef WB_API_INTERNAL_H
#define WB_API_INTERNAL_H

#include "api/config.h"
#include "api/deal.h"
#include "api/files.h"
#include "api/hang.h"
#include "core/course.h"
#include "core/exec.h"
#include "core/image.h"
#include "core/program.h"
#include "core/rules.h"
#include "mem/cache.h"
#include "mem/memory.h"
#include "mem/path.h"
#include "sched/chip.h"
#include "sched/occupancy.h"
#include "sched/sched.h"

/* The instruction sets that this build knows (api/registry.c). NULL: none of that name. */
const struct isa_ops *isa_find(const char *name);
const struct isa_ops *isa_at(unsigned index);
/* The machine in whose language a file is, by the name's ending, and for which program type. NULL: its name does not
 * say. */
const struct isa_ops *isa_of_file(const char *name, uint32_t *mode);
/* Returns false: there is no machine of that name; these there are. */
bool isa_unknown(const char *name, struct diag *d);

struct wb_program {
	struct arena arena;
	struct files files;             /* itself, then what it includes */
	struct image *image;            /* a chain */
	unsigned nkernels;
	struct wb_kernel *kernel;       /* what callers see of every kernel in the chain */
	const struct image_kernel **source;
	const struct image **owner;
};

/* Who decodes for a kernel of an image under a configuration: the ISA, the chip's features, the program type. */
bool target_of(const struct image *im, const struct wb_config *c, struct isa_target *t, const struct chip **chip,
	       struct diag *d);

/* ---- arguments (api/args.c) ---- */

struct argument {
	bool     is_buffer;
	uint32_t addr;          /* of a buffer in global memory */
	uint32_t bytes;
	uint32_t offset, slot;  /* where it is in the parameter block, and bytes of it there */
	char    *out_file;      /* where a buffer goes after the run, or NULL */
};

struct wb_launch;
/* The items of a LIST option, one by one (api/launch.c). */
bool each_item(struct wb_launch *l, enum option o, bool (*take)(struct wb_launch *, const char *, struct diag *),
	       struct diag *d);
/* Do the arguments fit the parameters that the file declares? True for a file that declares none, and with
 * --no-check-args. */
bool params_check(const struct wb_launch *l, struct diag *d);
/* Bytes of the declared parameter that an argument at `offset` or behind it is for; 0: none is. */
uint32_t params_bytes(const struct image_kernel *k, uint32_t offset);
/* One -a word: allocate and fill its buffer, put its bytes into the parameter block. */
bool launch_argument(struct wb_launch *l, const char *text, struct diag *d);
/* One --global word. */
bool launch_bind_global(struct wb_launch *l, const char *text, struct diag *d);

/* ---- multiprocessors (api/machine.c) ---- */

struct resident {               /* room for one block on a multiprocessor, used again and again */
	struct block block;
	bool live;
	unsigned first_slot;
	uint64_t *since;        /* cycle in which each warp started */
	struct course *course;  /* of each warp that is executed ahead of its clock (api/ahead.h); NULL: none is */
	unsigned worker;        /* of mem/marks.h, then */
	bool gone;              /* the block was executed in memory that is another one's now */
};

/* What an instruction wants of the path to global memory. */
struct request {
	uint64_t cycle;                 /* of the issue; when it has been sent, in which its data is there */
	uint64_t age;                   /* of the warp in its slot */
	const struct sched_op *op;      /* whose results wait for it */
	uint32_t bytes, last_bytes;
	uint8_t slot;
};

struct mp {                     /* x comes first: an observer of it looks for the rest */
	struct exec x __attribute__((aligned(128)));    /* neighbours may belong to different host threads */
	struct sched sched;             /* with timing; without, three lines of it are enough: */
	uint64_t ready, cycle;          /* slots that can go on; cycles as a count of instructions */
	unsigned last;
	struct sched_work work;         /* what the present instruction's accesses cost */
	uint32_t const_asked;           /* the line of c[] that it looks in, where no clock knows of it yet; 0: none */
	struct request *request;        /* to global memory in this epoch, in cycle order */
	unsigned nrequests, nanswers;   /* of them: not sent yet; sent, and nobody has been told of the answers */
	struct cache code_l1, const_l1;
	struct bill bill;
	unsigned nresident, nlive;      /* rooms, and those with a block */
	struct resident *resident;
	struct warp *slot[64];
	struct mem_counts *mem;
	struct hand hand;               /* blocks to come */
	struct spare *spare;            /* those of them that have been executed already (api/ahead.c); or NULL */
	uint32_t started;               /* blocks */
	uint64_t perfect_issues;        /* --perfect: of finished blocks */
};

/* Memory transactions, by the chip's rules (mem/coalesce.h, mem/banks.h); counted with --stats-level full. */
struct mem_counts {
	struct tally known;             /* beside all the others, without timing or ahead of the clock */
	uint64_t gld[3], gst[3];        /* transactions of 32, 64, 128 bytes */
	uint64_t gld_coherent, gld_incoherent, gst_coherent, gst_incoherent;   /* the older rule's names */
	uint64_t serialize;             /* extra passes in s[] and c[] */
	uint64_t bytes;
};

/* Warps that have ended, or stand at the end of the launch, as the report shows them; of warp i of the launch it is row
 * i. Short rows: a launch without timing has ten thousand of them in a millisecond. */
struct warp_rows {
	struct wb_warp_report *row;     /* `stalls` is NULL as long as it is not listed; NULL: nobody wants them */
	uint32_t n;
	struct stall_row *stalls;       /* with timing, of each */
	uint64_t *turn;                 /* of the watch that each was noted in; 0 without one */
};

struct poke {                   /* a register set before the launch runs */
	uint32_t block, warp, reg, lane, value;
	char file[4];
};

enum { SHARED_UNIT = 0x40, WARP_ROWS_MAX = 1 << 16 };

/* What changes while a launch runs, beside what is in its state arena and in global memory. */
struct run_state {
	uint64_t finished_blocks;
	uint32_t started_blocks;
	bool hand_empty;                /* some multiprocessor has run out of blocks of its own, now or before */
	uint64_t epoch_end;             /* with timing: cycle up to which each multiprocessor runs by itself */
	unsigned epoch_mp;              /* the one that is at it */
	bool all_started;               /* no block was left when it began */
	unsigned turn;                  /* without timing: the multiprocessor whose turn it is */
	size_t nprimitives, primitives_lost;
	uint64_t turns;
	struct hang hang;
};

struct limits {
	uint64_t cycles, instructions;  /* UINT64_MAX: none */
};

/* What the hardware would not take well, one text a finding, "pc 0x10: …" (api/lint.c). */
enum { LINT_MAX = 128 };
struct lint {
	struct arena *arena;            /* of the texts */
	unsigned n;                     /* those beyond LINT_MAX are dropped */
	const char *line[LINT_MAX];
};
bool lint_program(struct lint *lint, const struct program *p, const struct image_kernel *k, struct arena *a,
		  struct diag *d);
/* With --hw-strict: the findings of the launch's program, of which lint_verdict makes its result. */
bool launch_lint(struct wb_launch *l, struct diag *d);
void lint_verdict(struct wb_launch *l);

struct vertices {               /* api/vertices.c */
	struct stream stream;
	uint32_t *read;                 /* nread of them from texts, and how many registers each gives */
	uint16_t *used;
	uint32_t nread, read_room;
	unsigned numbers;               /* of each that is a list of them */
	uint32_t given;                 /* bit n: all of them give input register n */
	unsigned out_words;
	struct wb_primitive *primitive; /* run.nprimitives of them, as they were emitted */
	uint32_t *emitted;              /* the vertices of each, three of out_words */
	size_t room;
	struct wb_primitive *sorted;    /* the first nsorted by thread, for who asks */
	size_t nsorted;
};

/* One --uniform word; what --f24 says; what vertices hold. */
bool launch_uniform(struct wb_launch *l, const char *text, struct diag *d);
bool launch_rounding(struct wb_launch *l, struct diag *d);
/* The launch has as many threads as it was given vertices, or as its file says. */
bool vertices_prepare(struct wb_launch *l, struct diag *d);
/* The input registers that the program reads and that were not given: "v1, v2", or NULL. */
const char *vertices_missing(const struct wb_launch *l, struct arena *a);
void vertices_free(struct wb_launch *l);

struct wb_launch {
	struct arena arena;             /* what a launch is: stays as it is while it runs */
	/* what its machine is in: multiprocessors, blocks, warps, registers, bills. A snapshot is a copy of these
	 * bytes, of `run` and of global memory */
	struct arena state;
	struct run_state run;
	const struct wb_program *program;
	const struct image *image;
	const struct image_kernel *kernel;
	struct wb_config *config;
	struct files files;             /* that options and arguments named */
	struct chip chip;               /* the chip's row, as the timing values changed it */
	struct timing numbers;
	struct rules rules;
	struct program code;
	unsigned simd;

	uint32_t grid[2], block[3], blocks, threads, warps;   /* blocks of the grid, threads and warps of a block */
	uint32_t shared_bytes, shared_asked;            /* as allocated; as the file and the options say */
	uint32_t lanes;                 /* --lanes: vertices of a warp */
	struct occupancy fit;
	uint32_t predicted_blocks;      /* that fit a multiprocessor, however many the grid has */

	struct global global;
	struct memory memory;
	uint8_t params[4096];
	struct launch_params param;
	struct vertices vertices;
	struct argument *arg;
	size_t nargs, arg_cap;
	struct argument *bound;         /* --global buffers */
	size_t nbound, bound_cap;

	struct lint *lint;              /* --hw-strict, or NULL */
	struct check *check;            /* --check (api/check.h), or NULL */
	bool prepared, timing, want_stalls;
	/* set while somebody looks: a turn then issues one instruction, timing or not */
	struct watch *watch;
	/* who is told of every issue, or NULL */
	void (*each)(void *context, const struct wb_issue *i);
	void *each_context;
	struct recorder *recorder;      /* who keeps the events; set together with watch */
	struct stops *stops;            /* breakpoints and watches */
	struct replay *replay;          /* how to go back */
	size_t record_bytes;            /* that it may take; 0: the default */
	uint64_t ran;                   /* turns since it was last asked to move */
	bool over;                      /* a stepped launch has no turn left */
	bool fell;                      /* and its last turn issued nothing: that is a position of its own */
	struct limits max;
	struct sched_op *ops;           /* with timing: one for each word of code, and one past it */
	unsigned entries;               /* of a warp's scoreboard */
	struct mem_path *shared_path;   /* of the chip to global memory */
	struct cache *l3, *l2;          /* of the chip, of each TPC */
	/* Scratch between epochs: all requests; by multiprocessor, the cycle in which it can go on. */
	struct requests *requests;
	uint64_t *next_at;
	unsigned nmps;
	struct mp *mp;
	struct poke *poke;
	size_t npokes, poke_cap;
	struct warp_rows warp_rows;
	volatile bool interrupt;

	bool ahead;                     /* blocks are executed when they are placed (api/ahead.h) */
	struct courses courses;         /* that they take */
	struct stage *stages, *idle;    /* where that is done: all, and those where it is not (api/ahead.c) */
	unsigned helped;                /* the multiprocessor after that for which a thread has done so before others */
	uint64_t executed;              /* instructions of blocks that have been executed so */
	bool every_load;                /* then: all claim what they load, even where nobody has stored before */
	struct crew *crew;              /* while several host threads run it (api/parallel.h) */
	unsigned ran_threads;           /* host threads that ran it */
	const char *alone;              /* why it was one although more were asked for */
	const char *in_order;           /* why blocks were not executed ahead, if that was asked for (api/ahead.h) */
	bool touched;                   /* prepared, and then somebody wrote to s[] or l[] */

	const char *result;             /* ok fault limit deadlock livelock interrupted */
	struct diag why;
	struct mp *fault_mp;
	struct arena report_arena;      /* of the report, and with it renewed */
	struct bill bill;               /* all multiprocessors' */
	struct wb_report report;
};

/* Is "$r3", "v0.y" or whatever the machine calls its registers, a name of one? */
bool register_exists(const struct isa_ops *isa, const char *name);

/* Arguments, memory, multiprocessors, first blocks (api/launch.c); done once. */
bool launch_prepare(struct wb_launch *l, struct diag *d);
/* Set up multiprocessors and their first blocks. */
bool machine_prepare(struct wb_launch *l, struct diag *d);
/* Memory of a warp: its registers begin where its private state ends, which an executor may count on. False: the host
 * has none. */
bool machine_warp_room(struct wb_launch *l, void **state, struct row **reg);
/* What $pm0 … $pm3 count; after machine_prepare. */
bool launch_counters(struct wb_launch *l, struct diag *d);
/* What of a multiprocessor executes instructions, and what that counts. False: the host has no memory. */
bool machine_prepare_exec(struct wb_launch *l, struct mp *mp, unsigned index);
/* Block `index`, about to begin, in the memory that b has. */
void machine_start_block(struct wb_launch *l, struct block *b, uint32_t index);
/* Take a prepared machine to its start; l->result is "ok" until something else is the case. */
void machine_begin(struct wb_launch *l);
/* The next multiprocessor that has a warp to issue gets on: by one turn where somebody watches, else as far as it may
 * without a look at the others. False: the launch is over, l->result and l->why say why. */
bool machine_step(struct wb_launch *l);
/* With timing: at most *turns turns of mp before cycle `end`, counted down. Until then it shares nothing with others
 * but global memory, the lower cache levels and, where a warp ends, the grid's blocks and the rows by warp. False: the
 * launch is over, as above. */
bool machine_run_mp(struct wb_launch *l, struct mp *mp, uint64_t end, uint64_t *turns);
/* Without timing: one turn of mp. False: none of its warps can go on, or the launch is over. */
bool machine_free_turn(struct wb_launch *l, struct mp *mp);
/* Somebody asked it to stop: false. */
bool machine_interrupted(struct wb_launch *l);
/* Once more from the start, global memory apart: prepared and begun. False: the host has no memory. */
bool machine_again(struct wb_launch *l, struct diag *d);
/* Between two epochs: multiprocessors that have run out of blocks get some of others, and start them. False: none
 * did. */
bool machine_deal(struct wb_launch *l);
/* Issues so far, over all multiprocessors. */
uint64_t machine_issues(const struct wb_launch *l);
/* Tell l->each of the issue that has just happened (api/look.c). */
void look_tell(const struct wb_launch *l);
/* Close the accounts of warps that have not finished; nothing steps after it. */
void machine_settle(struct wb_launch *l);
/* Make l->report of a settled machine, in place of an earlier one (api/report.c). */
void report_build(struct wb_launch *l);

#endif
