/* Between Warpbeam and the program stands a keeper, a fork of Warpbeam:
 *
 *     Warpbeam ── keeper ── program (leader of a process group) ── the program's children
 *
 * The keeper makes the folder for temporary files, waits for the program, the deadline, a cancellation or Warpbeam's
 * end, then kills the group and removes the folder. The keeper has a session of its own and blocks all signals, so a
 * signal to Warpbeam or to Warpbeam's group, SIGKILL included, leaves the keeper to its work. A SIGKILL of the keeper
 * ends the program (PR_SET_PDEATHSIG). The keeper calls async-signal-safe functions only, as Warpbeam's process may
 * have threads. Inputs and outputs are anonymous files; the keeper reports the status through a pipe. */
#include "host/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/landlock.h"

enum { PAUSE_NS = 5000000, FILE_MAX = 256 << 20, UNGUARDED = 126, NOT_EXECUTED = 127 };
enum { INPUT, OUTPUT, ERRORS, RESULT, NFILES };

int64_t child_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- names ---- */

static bool is_program(const char *path)
{
	struct stat s;

	return !stat(path, &s) && S_ISREG(s.st_mode) && !access(path, X_OK);
}

char *child_find(const char *name)
{
	const char *p = getenv("PATH"), *end;
	char *path = NULL;

	if (strchr(name, '/'))
		return is_program(name) ? strdup(name) : NULL;
	for (p = p ? p : "/usr/local/bin:/usr/bin:/bin";; p = end + 1) {
		end = p + strcspn(p, ":");
		if (asprintf(&path, "%.*s%s%s", (int)(end - p), p, end > p ? "/" : "./", name) < 0)
			return NULL;
		if (is_program(path))
			return path;
		free(path);
		if (!*end)
			return NULL;
	}
}

void child_name_folder(struct child *c, const char *above)
{
	uint64_t number;

	if (getrandom(&number, sizeof number, 0) != sizeof number)
		number = (uint64_t)child_clock();
	if (snprintf(c->folder, sizeof c->folder, "%s/warpbeam-%016llx", above, (unsigned long long)number) >=
	    (int)sizeof c->folder - 64)
		c->folder[0] = '\0';
}

/* ---- bytes ---- */

bool child_slurp(int fd, struct child_text *t)
{
	struct stat s;
	ssize_t got;

	*t = (struct child_text){ NULL, 0 };
	if (fstat(fd, &s) || s.st_size > CHILD_BYTES_MAX || !(t->bytes = malloc((size_t)s.st_size + 1)))
		return false;
	while (t->size < (size_t)s.st_size &&
	       (got = pread(fd, t->bytes + t->size, (size_t)s.st_size - t->size, (off_t)t->size)) > 0)
		t->size += (size_t)got;
	t->bytes[t->size] = '\0';
	return t->size == (size_t)s.st_size;
}

static bool fill(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;
	ssize_t put = 0;

	for (; n && (put = write(fd, p, n)) > 0; n -= (size_t)put)
		p += put;
	return !n && lseek(fd, 0, SEEK_SET) == 0;
}

/* ---- the program's process ---- */

/* Lower a limit of the process to `most`; a lower limit stays. */
static void lower_limit(__rlimit_resource_t resource, rlim_t most)
{
	struct rlimit l;

	if (getrlimit(resource, &l) || most >= l.rlim_max)
		return;
	l.rlim_cur = l.rlim_cur < most ? l.rlim_cur : most;
	l.rlim_max = most;
	setrlimit(resource, &l);
}

static _Noreturn void become(const struct child *c, char *const *environment, const int fd[NFILES],
			     const sigset_t *signals)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = INPUT; i <= ERRORS; i++)     /* fd[] ascends: no file is overwritten before its turn */
		if (fd[i] == i ? fcntl(i, F_SETFD, 0) : dup2(fd[i], i) < 0)
			_exit(NOT_EXECUTED);
	lower_limit(RLIMIT_AS, c->memory == UINT64_MAX ? RLIM_INFINITY : (rlim_t)c->memory);
	lower_limit(RLIMIT_FSIZE, FILE_MAX);
	lower_limit(RLIMIT_CORE, 0);
	if (c->ruleset >= 0 && !landlock_enforce(c->ruleset))
		_exit(UNGUARDED);
	sigprocmask(SIG_SETMASK, signals, NULL);
	execve(c->path, c->argv, environment);
	_exit(NOT_EXECUTED);
}

/* ---- the keeper ---- */

/* Remove a folder without folders inside. Removals let some file systems skip names: hence several turns. */
static void remove_folder(const char *path)
{
	enum { TURNS = 4 };
	char buffer[4096] __attribute__((aligned(_Alignof(struct dirent64))));
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t got;

	for (int turn = 0; fd >= 0 && turn <= TURNS && rmdir(path); turn++) {
		lseek(fd, 0, SEEK_SET);
		while ((got = getdents64(fd, buffer, sizeof buffer)) > 0)
			for (ssize_t i = 0; i < got;) {
				const struct dirent64 *entry = (const struct dirent64 *)(const void *)(buffer + i);

				unlinkat(fd, entry->d_name, 0);
				i += entry->d_reclen;
			}
	}
	if (fd >= 0)
		close(fd);
}

/* Write a given file into the folder. */
static bool write_one(const struct child *c, const struct child_file *f)
{
	char path[sizeof c->folder + NAME_MAX + 2];
	const char *p = f->bytes;
	ssize_t put = 0;
	int to;

	if (!f->name)
		return true;
	stpcpy(stpcpy(stpcpy(path, c->folder), "/"), f->name);
	to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	for (size_t n = f->size; to >= 0 && n; n -= (size_t)put, p += put)
		if ((put = write(to, p, n)) <= 0)
			return false;
	return to >= 0 && close(to) == 0;
}

static bool write_given(const struct child *c)
{
	bool ok = true;

	for (int i = 0; i < CHILD_INPUTS && ok; i++)
		ok = write_one(c, &c->input[i]);
	return ok;
}

static bool copy_result(const struct child *c, int to)
{
	char path[sizeof c->folder + NAME_MAX + 2], buffer[1 << 14];
	struct stat s;
	ssize_t n = 0, put = 0;
	int from;

	stpcpy(stpcpy(stpcpy(path, c->folder), "/"), c->result);
	from = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (from < 0 || fstat(from, &s) || !S_ISREG(s.st_mode))
		return false;
	while ((n = read(from, buffer, sizeof buffer)) > 0)
		for (ssize_t done = 0; done < n; done += put)
			if ((put = write(to, buffer + done, (size_t)(n - done))) < 0)
				return false;
	return close(from) == 0 && n == 0;
}

static bool is_cancelled(const struct child *c)
{
	return c->cancel && poll(&(struct pollfd){ .fd = *c->cancel, .events = POLLIN }, 1, 0) > 0;
}

/* Wait until the program has ended, time is over, `parent` has ended or cancels. True: the program has ended. */
static bool wait_for(const struct child *c, pid_t program, pid_t parent)
{
	siginfo_t ended = { 0 };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	for (;;) {
		if (waitid(P_PID, (id_t)program, &ended, WEXITED | WNOHANG | WNOWAIT) && errno != EINTR)
			return false;
		if (ended.si_pid || getppid() != parent || child_clock() >= c->deadline ||
		    is_cancelled(c))
			return ended.si_pid;
		sigtimedwait(&child, NULL, &(struct timespec){ 0, PAUSE_NS });
	}
}

/* Kill the group of `program` and wait for the end of all processes in the group. The number of the group is free for
 * other processes only when the program is reaped. Returns the program's status. */
static int kill_group(pid_t program)
{
	int status = 0;

	kill(-program, SIGKILL);
	while (waitpid(program, &status, 0) < 0 && errno == EINTR)
		;
	while (waitpid(-program, NULL, 0) > 0 || errno == EINTR)        /* orphans, the keeper's now */
		;
	return !WIFEXITED(status) ? CHILD_SIGNALLED + WTERMSIG(status)
	       : WEXITSTATUS(status) == NOT_EXECUTED ? CHILD_NOT_STARTED
	       : WEXITSTATUS(status) == UNGUARDED ? CHILD_UNGUARDED : WEXITSTATUS(status);
}

static int keep(const struct child *c, char *const *environment, const int fd[NFILES], const sigset_t *signals,
		pid_t parent)
{
	pid_t program;
	int status;
	bool ended;

	if (c->ruleset >= 0 && !landlock_allow(c->ruleset, c->folder, LANDLOCK_WRITE))
		return CHILD_UNGUARDED;
	program = fork();
	if (program == 0)
		become(c, environment, fd, signals);
	if (program < 0)
		return CHILD_NOT_STARTED;
	setpgid(program, program);      /* here as well: before any kill of the group */
	ended = wait_for(c, program, parent);
	status = kill_group(program);
	if (!ended)
		return CHILD_OUT_OF_TIME;
	if (status == 0 && c->result && !copy_result(c, fd[RESULT]))
		return CHILD_TOO_LONG;
	return status;
}

static _Noreturn void keeper(const struct child *c, char *const *environment, const int fd[NFILES],
			     const sigset_t *signals, pid_t parent, int report)
{
	int status = CHILD_NOT_STARTED;

	setsid();
	signal(SIGCHLD, SIG_DFL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (mkdir(c->folder, 0700) == 0) {
		if (write_given(c))
			status = keep(c, environment, fd, signals, parent);
		remove_folder(c->folder);
	}
	_exit(write(report, &status, sizeof status) != sizeof status);
}

/* ---- Warpbeam's process ---- */

/* Fork the keeper, which begins with all signals blocked, and take its report. */
static int run(const struct child *c, char *const *environment, const int fd[NFILES])
{
	int report[2], status = CHILD_NOT_STARTED;
	pid_t parent = getpid(), child;
	sigset_t all, before;
	ssize_t got;

	if (pipe2(report, O_CLOEXEC))
		return CHILD_NOT_STARTED;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	child = fork();
	if (child == 0)
		keeper(c, environment, fd, &before, parent, report[1]);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(report[1]);
	do
		got = child < 0 ? 0 : read(report[0], &status, sizeof status);
	while (got < 0 && errno == EINTR);
	close(report[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return got == sizeof status ? status : CHILD_NOT_STARTED;
}

/* Warpbeam's environment with the child's TMPDIR, in one piece of memory. */
static char **environment_of(const struct child *c)
{
	size_t n = 0, kept = 0;
	char **environment, *name;

	while (environ[n])
		n++;
	environment = malloc((n + 2) * sizeof *environment + sizeof c->folder + 8);
	if (!environment)
		return NULL;
	name = (char *)(environment + n + 2);
	sprintf(name, "TMPDIR=%s", c->folder);
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "TMPDIR=", 7))
			environment[kept++] = environ[i];
	environment[kept++] = name;
	environment[kept] = NULL;
	return environment;
}

int child_run(const struct child *c, const void *input, size_t n, struct child_outputs *o)
{
	char **environment = environment_of(c);
	int fd[NFILES], status = CHILD_NOT_STARTED;
	bool open = environment && c->folder[0];

	*o = (struct child_outputs){ 0 };
	for (int i = 0; i < NFILES; i++) {
		fd[i] = memfd_create("warpbeam", MFD_CLOEXEC);
		open &= fd[i] >= 0;
	}
	if (open && fill(fd[INPUT], input, n))
		status = run(c, environment, fd);
	if (status >= 0 && !child_slurp(fd[ERRORS], &o->errors))
		status = CHILD_TOO_LONG;
	if (status == 0 && (!child_slurp(fd[OUTPUT], &o->out) || !child_slurp(fd[RESULT], &o->result)))
		status = CHILD_TOO_LONG;
	for (int i = 0; i < NFILES; i++)
		if (fd[i] >= 0)
			close(fd[i]);
	free(environment);
	return status;
}

void child_free(struct child_outputs *o)
{
	free(o->out.bytes);
	free(o->errors.bytes);
	free(o->result.bytes);
	*o = (struct child_outputs){ 0 };
}
