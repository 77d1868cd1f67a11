/* Runs of the compiler as a program of the host. A source can make a compiler work for ever and names files: all runs
 * together have limits (child.h), and each the guard of the compiler's files (guard.h). */
#include "toolchain/opencl/compiler.h"

/* Limits of a compilation without --max-seconds and --max-memory. clang alone, with its libraries, maps several hundred
 * MiB: a smaller --max-memory leaves the compiler MEMORY_LEAST. */
enum { SECONDS = 60 };
#define MEMORY (UINT64_C(4) << 30)
#define MEMORY_LEAST (UINT64_C(1) << 30)

void set_limits(struct compiler *c)
{
	const struct build_options *o = c->options;
	uint64_t asked = o->max_memory == MEMORY_HALF ? MEMORY : o->max_memory;

	c->seconds = o->max_seconds == SECONDS_DEFAULT ? SECONDS : o->max_seconds;
	if (c->seconds > INT32_MAX)
		c->seconds = SECONDS_UNLIMITED;
	c->child.deadline = c->seconds == SECONDS_UNLIMITED ? INT64_MAX : child_clock() + c->seconds * 1000000000;
	c->child.memory = asked < MEMORY_LEAST ? MEMORY_LEAST : asked;
}

/* The words may name the folder, which is therefore named first. */
int run_compiler(struct compiler *c, void (*command)(struct compiler *c), struct child_text input,
		 struct child_outputs *o)
{
	const char *temporary = getenv("TMPDIR");
	int status;

	child_name_folder(&c->child, temporary && *temporary == '/' ? temporary : "/tmp");
	command(c);
	c->child.argv = c->argument;
	status = c->full ? CHILD_NOT_STARTED : child_run(&c->child, input.bytes, input.size, o);
	log_text(c->build->log, o->errors.bytes, o->errors.size);
	return status;
}

bool run_step(struct compiler *c, void (*command)(struct compiler *c), struct child_text input,
	      struct child_outputs *o)
{
	int status = run_compiler(c, command, input, o);

	return status == 0 || compiler_error(c, status, o->errors.bytes);
}
