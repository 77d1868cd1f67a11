/* Graphs: nodes with work and dependencies, built by calls or captured from streams; executable graphs, copies with an
 * order; and memory of nodes to allocate.
 *
 * Handles are kept in lists: a stale handle is an error, never followed. Graphs, captures and pools have a lock (struct
 * shared's graph_lock), taken before the lock of the runtime and of streams, and not held while nodes run. */
#ifndef WB_FRONTENDS_RUNTIME_GRAPH_H
#define WB_FRONTENDS_RUNTIME_GRAPH_H

#include "frontends/runtime/runtime.h"

/* In the order of the interfaces' numbers. */
enum node_kind {
	NODE_KERNEL, NODE_COPY, NODE_FILL, NODE_HOST, NODE_GRAPH, NODE_EMPTY, NODE_WAIT, NODE_RECORD, NODE_ALLOC = 10,
	NODE_FREE
};

/* Memory of a node to allocate, with an address from the making of the node on. The memory stays until no graph has the
 * address and the program has freed the memory. */
struct graph_memory {
	struct graph_memory *next;
	uint64_t address, bytes;
	unsigned graphs;                 /* nodes with the memory */
	bool live;                       /* allocated by a launch and not freed since */
};

struct kernel_work {
	struct function *function;
	const void *host;                /* the program's name of the kernel */
	dim3 grid, block;
	size_t shared_bytes;
	bool together;                   /* all blocks are there at once */
	size_t bytes;
	uint8_t *values;                 /* parameters as the kernel finds them, owned */
	void **each;                     /* places of the parameters in `values`, owned */
};
struct copy_work {
	bool flat;                       /* the next members; else `box` */
	void *to;
	const void *from;
	size_t bytes;
	enum cudaMemcpyKind kind;
	struct cudaMemcpy3DParms box;
};

/* What a node does. */
struct work {
	enum node_kind kind;
	union {
		struct kernel_work kernel;
		struct copy_work copy;
		struct cudaMemsetParams fill;
		struct { cudaHostFn_t call; void *context; } host;
		cudaGraph_t child;               /* owned */
		cudaEvent_t event;
		struct graph_memory *memory;     /* NULL: freed memory of no graph */
	};
	void *freed;                     /* of NODE_FREE */
};

struct CUgraphNode_st {
	cudaGraphNode_t next;            /* in the order of their making */
	cudaGraph_t graph;
	struct work work;
	cudaGraphNode_t *after, origin;  /* dependencies, owned; origin: the copied node */
	size_t nafter;
	size_t mark;                     /* of a pass over the graph: number of the node, or 1 once ordered */
};

struct CUgraph_st {
	cudaGraph_t next;                /* in the list of handles */
	cudaGraphNode_t nodes, *end;
	size_t n;
	bool inner;                      /* a child graph, a node's own */
};

struct CUgraphExec_st {
	cudaGraphExec_t next;
	cudaGraph_t graph;               /* a copy */
	cudaGraphNode_t *order;
	bool frees;                      /* a launch frees memory of an earlier launch */
};

/* Nodes upon which the next work of a stream in a capture depends. */
struct tail {
	uint64_t capture;                /* number of the capture; 0, or of an ended capture: none */
	cudaGraphNode_t *after;
	size_t n;
};

struct capture {
	struct capture *next;
	uint64_t number;
	cudaGraph_t graph;
	const struct CUstream_st *origin;
	enum cudaStreamCaptureMode mode;
	bool legacy;                     /* the origin waits for the legacy stream */
	bool invalid;
};

/* graph.c */
struct shared *graphs_hold(void);
cudaError_t graphs_let_go(struct shared *s, cudaError_t e);
bool is_graph(const struct shared *s, cudaGraph_t g);
bool is_node(const struct shared *s, cudaGraphNode_t node);
bool is_in(cudaGraph_t g, cudaGraphNode_t node);
/* A graph without nodes; `inner`: no handle for the program. NULL: the host has no memory. */
cudaGraph_t graph_new(struct shared *s, bool inner);
void graph_free(struct shared *s, cudaGraph_t g);
/* A new node, the owner of the work from here on, also where the call fails. NULL: the host has no memory. */
cudaGraphNode_t graph_add(struct shared *s, cudaGraph_t g, const cudaGraphNode_t *after, size_t n, struct work *w);
/* A copy; nodes have the copied nodes as origins. NULL: the host has no memory. */
cudaGraph_t graph_copy(struct shared *s, cudaGraph_t g, bool inner);
void work_free(struct shared *s, struct work *w);
/* A copy of a work with all owned memory. False: the host has no memory. */
bool work_copy(struct shared *s, struct work *to, const struct work *from);
/* Copy up to *capacity handles, and write the number; `to` NULL: the number alone. */
cudaError_t give_nodes(cudaGraphNode_t *to, size_t *capacity, const cudaGraphNode_t *from, size_t n);

/* graph_work.c */
cudaError_t kernel_work(struct work *w, struct function *f, const void *host, dim3 grid, dim3 block,
			size_t shared_bytes, const struct values *values);
cudaError_t alloc_work(struct work *w, size_t bytes);
cudaError_t free_work(struct shared *s, struct work *w, void *p);
/* Do the work of all nodes of an order of the graph. */
cudaError_t run_nodes(cudaGraph_t g, cudaGraphNode_t *order, cudaStream_t stream);
/* The graph's nodes, each behind its dependencies, from malloc. NULL: a circle, as *e says, or no memory. */
cudaGraphNode_t *order_nodes(cudaGraph_t g, cudaError_t *e);

/* capture.c */
struct capture *capture_of(const struct shared *s, const struct tail *t);
/* Free the memory of a tail. */
void tail_clear(struct tail *t);
cudaError_t capture_child(cudaStream_t s, cudaGraph_t g);
/* A recording of an event, or a wait for one, within a capture. False: the call is none of a capture's. */
bool capture_record(cudaStream_t s, cudaEvent_t event, cudaError_t *e);
bool capture_wait(cudaStream_t s, cudaEvent_t event, cudaError_t *e);
/* Whether the event was last recorded in a capture. The question ends the capture. */
bool is_captured_event(cudaEvent_t event);
/* End the captures of a stream, without graphs. */
void capture_abandon(const struct CUstream_st *origin);

#endif
