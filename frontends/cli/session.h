/* A program, from a file or inside a trace, loaded, launched and run under the options. */
#ifndef WB_FRONTENDS_CLI_SESSION_H
#define WB_FRONTENDS_CLI_SESSION_H

#include "frontends/cli/cli.h"
#include "frontends/trace/trace.h"

struct session {
	const char *path;
	const char *text;        /* program in place of the file's; NULL: the file's */
	struct wb_program *program;
	const struct wb_kernel *kernel;
	const char *const *args; /* arguments in force, ended by NULL */
	bool args_given;         /* `args` are not the file's own */
	const char *vertices;    /* file of a shader's vertices, NULL: none */
	struct wb_launch *launch;
	struct trace trace;      /* trace of the program, read to its end; kernel NULL: no trace */
	bool goes_on;            /* the verb goes on with a saved run, which stands for the program */
	bool writes;             /* the user lets a run that goes on write the files of its arguments */
	bool as_recorded;        /* program of a trace, with its options and arguments unchanged */
	struct wb_config *config;
	struct wb_file in;       /* the vertices' bytes as read */
	struct wb_file *read;    /* files that the launch has read, for another launch; NULL: none yet */
	const struct wb_report *report;
	enum wb_status status; /* of the run */
	struct wb_diag diag;
};

/* Load the file, or n bytes of text under a name; *s is zero but for `vertices`, `text` and
 * `goes_on`. A trace stands for the
 * program that it carries, and sets those options of config that have not been set; config then outlives the
 * session. Then prepare the launch of its kernel `kernel` (NULL or "": the only one) under `config`: args, or those
 * of the file if args is empty. False: the error has been printed, and s->status is the exit code. */
bool session_load(struct session *s, const char *path, struct wb_config *config);
bool session_load_text(struct session *s, const char *name, const char *text, size_t n, struct wb_config *config);
/* Ask for the causes of waits and the costs of accesses (--producers, --accesses), unless the user has set the option;
 * after session_load. False: as session_load. */
bool session_wants_causes(struct session *s, struct wb_config *config);
bool session_prepare(struct session *s, const char *kernel, const struct wb_config *config, const char *const *args);
/* session_load without the last step, after which a launch takes no more inputs. */
bool session_launch(struct session *s, const char *kernel, const struct wb_config *config, const char *const *args);
/* Another launch like s->launch, which is prepared, with the same inputs: a pipe is read once. It must be freed before
 * the session is closed. NULL: the error has been printed, and s->status is the exit code. */
struct wb_launch *session_again(struct session *s);
/* Bytes for going back without a new run from the beginning: for verbs that move both ways. */
#define REWIND_OPTION \
	{"rewind", 0, OPT_VALUE, "MIB", "48", "Launch", \
	 "memory for the way back; from further back than it holds, a run begins anew", false}
/* Set the bytes for going back, before the launch starts. False: the error has been printed, and s->status is the exit
 * code. */
bool session_rewind(struct session *s, const struct cli *c);
/* Receivers of the events of a run; each may be missing. */
struct listeners {
	struct trace_writer *trace;
	struct sample *sample;
};
/* Have the events of a prepared launch written to a trace file, unless path is NULL, and to out->sample. *out must stay
 * where it is during the run. */
bool session_record(struct session *s, const char *path, struct listeners *out);
/* After the run: warn if its digest differs from the trace's. whole: the report of the whole run. */
void session_compare(const struct session *s, const struct wb_report *whole);
/* Run, with a progress line after a while; SIGINT, SIGTERM or SIGHUP stops the run. True: the report is valid. False:
 * the run has been saved, or cannot go on, and s->status is the exit code. */
bool session_run(struct session *s, const struct cli *c);
/* Work with a launch l of the session's program, with the same progress line beside. The work ends after `most`
 * issues. */
void session_beside(const struct session *s, const struct cli *c, struct wb_launch *l, uint64_t most,
		    void (*work)(void *), void *context);
/* Until interrupts_end the first n of the signals (interrupts.h) stop l, or save it. */
void interruptible_begin(struct wb_launch *l, unsigned n);
void session_close(struct session *s);

#endif
