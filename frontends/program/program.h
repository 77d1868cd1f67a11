/* What the foreign host interfaces (OpenCL, CUDA, HIP) share: a process that asks for launches is a `struct program`
 * with options from its environment, kernels prepared for launching, a record of every launch, and messages.
 *
 *     struct program *p = program_open("OpenCL");                   every entry point; NULL in a forked child
 *     struct wb_config *c = program_config(p, "gfx900", &d);        for wb_device_new, wb_program_load
 *     program_prepare(p, device, source, c, "scale", &kernel, &d);
 *     program_launch(p, &(struct program_launch){ … }, &result);    to its end: result.status, result.nanoseconds
 *
 * Threads. Every function may be called from any thread. A device is used by one thread at a time, as warpbeam.h says:
 * the caller has a lock for that, and holds the lock of the request's device during program_launch.
 *
 * The state is the process's own and stays until its end. Variables of the environment are rows of program.def;
 * `warpbeam run [OPTIONS] -- PROGRAM` sets them, and prints the table of launches from the journal that is written
 * here. */
#ifndef WB_FRONTENDS_PROGRAM_PROGRAM_H
#define WB_FRONTENDS_PROGRAM_PROGRAM_H

#include "warpbeam.h"

struct program;

/* The process as a program; made by the first call, with a line on stderr for each variable with a bad value.
 * interface: "OpenCL", for messages. NULL: a child, forked after its parent's first call, where nothing works (the
 * caller returns an error value), or the host has no memory. */
struct program *program_open(const char *interface);

/* The chip of WARPBEAM_CHIP, else `fallback`. */
const char *program_chip(const struct program *p, const char *fallback);
/* Whether the program has that chip alone (--one-device). */
bool program_has_one_device(const struct program *p);
/* A configuration for the chip with the options of the program: for its devices and sources, to which the caller may
 * add. The caller owns it. NULL with *d: no such chip, or no memory. */
struct wb_config *program_config(struct program *p, const char *chip, struct wb_diag *d);

/* Print "warpbeam: TEXT" on stderr, once for each distinct text. */
void program_say(struct program *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The diagnostic as such a line, "WHAT: FILE:LINE: TEXT". */
void program_say_diag(struct program *p, const char *what, const struct wb_diag *d);

/* A kernel prepared for launches by program_launch. */
struct program_kernel;
/* As wb_prepare. c: configuration that `from` was loaded with, copied. `from` must outlive the kernel. */
enum wb_status program_prepare(struct program *p, struct wb_device *device, const struct wb_program *from,
			       const struct wb_config *c, const char *name, struct program_kernel **out,
			       struct wb_diag *d);
void program_kernel_free(struct program_kernel *k);
/* The kernel within, for wb_prepared_info and wb_prepared_parameter. */
const struct wb_prepared *program_prepared(const struct program_kernel *k);

struct program_launch {
	struct wb_device *device;
	struct program_kernel *kernel;
	struct wb_launch_size size;
	const void *params;     /* bytes of the parameters, as wb_launch_on takes them */
	size_t param_bytes;
	const char *call;       /* host call that asked for the launch: "clEnqueueNDRangeKernel" */
	uint64_t number;        /* running number of this call in the process, from 1 */
};
struct program_result {
	/* WB_OK: memory has the results, even where a checker has findings, which have been told on stderr. Else the
	 * launch was refused (WB_USAGE, WB_ENV) or ended early (WB_FAULT, WB_LIMIT, WB_HANG), as diag says; the caller
	 * tells nobody but the program: a line is on stderr already. */
	enum wb_status status;
	struct wb_diag diag;
	uint64_t nanoseconds;   /* of the chip's clock, at least 1; 1 without timing */
	bool trapped;           /* WB_FAULT: a trap of the program's own */
	bool asserted;          /* the trap is that of an assertion, whose message has been printed */
};
/* Launch, run to the end, print what the kernel prints on standard output, and record the launch. Returns
 * out->status. */
enum wb_status program_launch(struct program *p, const struct program_launch *request, struct program_result *out);

/* ---- for the command line, which starts programs ---- */

/* The index-th option (program.def). False: past the end. */
struct program_option {
	const char *name;       /* "max-seconds" */
	const char *argument;   /* "FILE.jsonl"; "": a switch, on or off */
	const char *help;
	char variable[64];      /* "WARPBEAM_MAX_SECONDS"; "": an option of the command line alone */
	bool on_command_line;   /* an option of `run -- PROGRAM`; false: a variable alone */
	bool of_run;            /* an option of a run as well (wb_option) */
};
bool program_option(unsigned index, struct program_option *out);
/* A kernel name of "KERNEL" or "KERNEL:N", and its number. False: N is no number above 0. */
bool program_place(const char *text, size_t *name_bytes, uint64_t *n);
/* Whether such a text names the kernel, by its symbol or as the source has the function; false for NULL. */
bool program_names_kernel(const char *place, const char *kernel);
/* Why an option's value is refused, as snprintf; 0: accepted. */
size_t program_refuses(const struct program_option *o, const char *value, char *text, size_t size);

#endif
