/* A handler of exit empties the folder, and so does a handler of signals, which calls async-signal-safe functions
 * alone: files have numbers for names. A child at work gets the signal as well. */
#include "frontends/cli/temporary.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/cli/cli.h"

static char folder[PATH_MAX - 16];      /* "": none */
static volatile sig_atomic_t nfiles, running;
static pid_t owner;                     /* a forked child ends by the same handlers, and leaves the files alone */

static void name_file(char path[PATH_MAX], unsigned n)
{
	char digits[16], *d = digits + sizeof digits;

	*--d = '\0';
	do
		*--d = (char)('0' + n % 10);
	while (n /= 10);
	strcpy(path, folder);
	strcat(path, "/");
	strcat(path, d);
}

static void empty_folder(void)
{
	char path[PATH_MAX];

	if (!*folder || getpid() != owner)
		return;
	for (unsigned n = 0; n < (unsigned)nfiles; n++) {
		name_file(path, n);
		unlink(path);
	}
	rmdir(folder);
	*folder = '\0';
}

static void end_by(int number)
{
	if (running > 0)
		kill((pid_t)running, number);
	empty_folder();
	signal(number, SIG_DFL);
	raise(number);
}

/* A signal that is ignored, as below nohup, stays so. */
static void set_handlers(void)
{
	static const int ending[] = { SIGHUP, SIGINT, SIGTERM };
	struct sigaction old, own = { .sa_handler = end_by, .sa_flags = SA_RESTART };

	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		if (!sigaction(ending[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(ending[i], &own, NULL);
}

static bool make_folder(void)
{
	const char *below = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/warpbeam-XXXXXX", below && *below ? below : "/tmp");
	if (!mkdtemp(folder)) {
		complain(WB_ENV, "%s: cannot make a folder: %s", shown(folder), strerror(errno));
		*folder = '\0';
		return false;
	}
	owner = getpid();
	nfiles = 0;
	atexit(empty_folder);
	set_handlers();
	return true;
}

bool temporary_path(char path[PATH_MAX])
{
	if (!*folder && !make_folder())
		return false;
	name_file(path, (unsigned)nfiles++);
	return true;
}

void temporary_child(pid_t child)
{
	running = (sig_atomic_t)child;
}
