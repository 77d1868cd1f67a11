/* A program is started with the libraries of the foreign host interfaces first in LD_LIBRARY_PATH, and with options as
 * variables (frontends/program/program.def). Input, output and exit code stay the program's. The processes write a
 * journal of launches into a temporary file, read when the program has ended. */
#include "frontends/cli/run_program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "frontends/cli/beside.h"
#include "frontends/cli/verbs.h"
#include "frontends/program/program.h"

/* ---- options ---- */

static bool find_option(const char *name, struct program_option *out)
{
	for (unsigned i = 0; program_option(i, out); i++)
		if (!strcmp(out->name, name))
			return true;
	return false;
}

/* Options that run itself obeys, before the program begins or when the program has ended. */
static bool is_own(const char *name)
{
	static const char *const names[] = { "quiet", "verbose", "color", "strict", "launches", "report" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* An option as a variable; each further value of a list is a further line. */
static enum wb_status set_variable(const struct cli *c, const struct value *v)
{
	struct program_option o;
	char why[512], *lines;

	if (is_own(v->name))
		return WB_OK;
	if (!find_option(v->name, &o))
		return complain(WB_USAGE, "--%s is for a file of kernels; a whole program says it by its own calls",
				v->name);
	if (program_refuses(&o, v->text, why, sizeof why))
		return complain(WB_USAGE, "%s", why);
	for (const struct value *w = c->values; w < v; w++)
		if (!strcmp(w->name, v->name) && !strcmp(o.argument, "KEY=VALUE") && getenv(o.variable)) {
			if (asprintf(&lines, "%s\n%s", getenv(o.variable), v->text) < 0)
				no_memory();
			setenv(o.variable, lines, 1);
			free(lines);
			return WB_OK;
		}
	setenv(o.variable, v->text, 1);
	return WB_OK;
}

/* ---- the libraries ---- */

/* Put a folder or file before what a variable has. */
static void put_first(const char *variable, const char *path)
{
	const char *old = getenv(variable);
	char *all;

	if (asprintf(&all, "%s%s%s", path, old && *old ? ":" : "", old ? old : "") < 0)
		no_memory();
	setenv(variable, all, 1);
	free(all);
}

/* The folder of a library: in the build tree or as installed. False: the library is not there. */
bool interface_find(char *path, const char *folder, const char *name)
{
	char self[PATH_MAX - 256];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	if (beside_find(path, PATH_MAX, folder, name))
		return true;
	if (n <= 0)
		return false;
	self[n] = '\0';
	*strrchr(self, '/') = '\0';
	for (int i = 0; i < 2; i++) {   /* a platform's library is one folder above, where loaders find it */
		snprintf(path, PATH_MAX, "%s/%s/%s%s", WB_LIBDIR[0] == '/' ? "" : self, WB_LIBDIR, i ? "../" : "",
			 name);
		if (!access(path, F_OK))
			return true;
	}
	return false;
}

enum wb_status complain_missing(const char *name)
{
	char self[PATH_MAX], list[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	char *tree_end;

	self[n > 0 ? n : 0] = '\0';
	tree_end = strstr(self, "/frontends/cli/");
	if (tree_end)
		*tree_end = '\0';
	if (tree_end && snprintf(list, sizeof list, "%s/build.ninja", self) < (int)sizeof list &&
	    !access(list, F_OK))
		return complain(WB_ENV, "%s of Warpbeam is not built yet: 'ninja -C %s programs' builds the "
				"libraries of whole programs", name, shown(self));
	return complain(WB_ENV, "%s of Warpbeam is not here", name);
}

/* The libraries that programs need, and their folders in the build tree. */
static const struct { const char *folder, *name; } libraries[] = {
	{ "frontends/opencl", "libOpenCL.so.1" }, { "frontends/cuda/12", "libcudart.so.12" },
	{ "frontends/cuda/11.0", "libcudart.so.11.0" }, { "frontends/cuda/13", "libcudart.so.13" },
	{ "frontends/cuda/driver", "libcuda.so.1" }, { "frontends/hip", "libamdhip64.so.5" },
	{ "frontends/rtc/11.2", "libnvrtc.so.11.2" }, { "frontends/rtc/12", "libnvrtc.so.12" },
	{ "frontends/rtc/13", "libnvrtc.so.13" }, { "frontends/rtc", "libhiprtc.so.5" },
};

/* False: the libraries are not here, as CUDA's tells, which every build has; the message has been printed. */
static bool set_libraries(const struct reach *r)
{
	char path[PATH_MAX], folders[13 * PATH_MAX] = "";

	if (!interface_find(path, libraries[1].folder, libraries[1].name)) {
		complain_missing(libraries[1].name);
		return false;
	}
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		if (!interface_find(path, libraries[i].folder, libraries[i].name))
			continue;
		if (r->preload)
			put_first("LD_PRELOAD", path);
		*strrchr(path, '/') = '\0';
		if (strstr(folders, path))
			continue;
		strncat(folders, path, sizeof folders - strlen(folders) - 2);
		strcat(folders, ":");
		put_first("LD_LIBRARY_PATH", path);
	}
	/* for programs with a loader of OpenCL platforms: the variables of both loaders */
	if (interface_find(path, "frontends/opencl", "libwarpbeam-opencl.so")) {
		setenv("OCL_ICD_VENDORS", path, 1);
		setenv("OCL_ICD_FILENAMES", path, 1);
	}
	return true;
}

/* ---- the program's life ---- */

static volatile sig_atomic_t running;   /* process to which signals are passed on */

static void pass_on(int n)
{
	if (running)
		kill((pid_t)running, n);
}

/* Interrupts of the terminal are for the program to judge, which gets interrupts by itself. */
static void set_signals(void)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGTERM, pass_on);
	signal(SIGHUP, pass_on);
}

static const int handled[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

/* Start and wait. -1: the program could not be started, and errno says why. */
static int run_and_wait(char **argv)
{
	int status = -1, failure = 0, started[2];
	struct sigaction old[sizeof handled / sizeof *handled];

	if (pipe2(started, O_CLOEXEC))
		return -1;
	for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
		sigaction(handled[i], NULL, &old[i]);
	set_signals();
	fflush(NULL);
	pid_t child = fork();
	if (!child) {
		for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
			sigaction(handled[i], &old[i], NULL);
		execvp(argv[0], argv);
		failure = errno;
		if (write(started[1], &failure, sizeof failure) < 0)
			_exit(126);
		_exit(127);
	}
	running = child > 0 ? (sig_atomic_t)child : 0;
	close(started[1]);
	if (child > 0 && read(started[0], &failure, sizeof failure) < 0)
		failure = errno;
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	running = 0;
	close(started[0]);
	if (child > 0 && !failure)
		return status;
	errno = failure ? failure : errno;
	return -1;
}

/* ---- temporary files ---- */

/* Names begin so; processes of the program add a suffix to the name of the journal for files of counts. */
#define TEMPORARY "warpbeam-run-"

static const char *temporary_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

/* Whether nobody has the file: a run keeps a lock until the end, and an end by SIGKILL gives the lock back as well. A
 * file of the last minute may be about to be locked. */
static bool is_left(const char *path)
{
	enum { YOUNG = 60 };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat s;
	bool left = fd >= 0 && !fstat(fd, &s) && S_ISREG(s.st_mode) && s.st_uid == geteuid() &&
		    time(NULL) - s.st_mtime > YOUNG && !flock(fd, LOCK_EX | LOCK_NB);

	if (fd >= 0)
		close(fd);
	return left;
}

/* Remove files of killed runs. Files of counts have no lock: the name's first part is that of the journal. */
static void sweep(void)
{
	enum { NAME = sizeof TEMPORARY - 1 + 6 };       /* mkostemp's six characters */
	const char *folder = temporary_folder();
	DIR *d = opendir(folder);
	char path[PATH_MAX], journal[PATH_MAX];
	struct stat s;

	for (struct dirent *e; d && (e = readdir(d));) {
		if (strncmp(e->d_name, TEMPORARY, sizeof TEMPORARY - 1) || strlen(e->d_name) < NAME ||
		    snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path)
			continue;
		snprintf(journal, sizeof journal, "%s/%.*s", folder, (int)NAME, e->d_name);
		if (is_left(path) && (lstat(journal, &s) || is_left(journal)))
			unlink(path);
	}
	if (d)
		closedir(d);
}

/* A temporary file whose path is a variable of the program. NULL: told already. */
static FILE *temporary(const char *variable, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/" TEMPORARY "XXXXXX", temporary_folder());
	int fd = mkostemp(path, O_APPEND | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r+");
	if (f) {
		flock(fd, LOCK_EX);
		setenv(variable, path, 1);
	} else {
		complain(WB_ENV, "%s: cannot write: %s", path, strerror(errno));
	}
	return f;
}

static enum wb_status exit_code_of(const struct cli *c, const struct program_end *e)
{
	if (WIFSIGNALED(e->status))
		return (enum wb_status)(128 + WTERMSIG(e->status));
	if (!WEXITSTATUS(e->status) && e->troubles && cli_on(c, "strict"))
		return WB_FAILED;
	return (enum wb_status)WEXITSTATUS(e->status);
}

/* Print that the launch of an option, --only or --stop-at, never came. */
static void tell_missed(const struct cli *c, const struct program_end *e, const char *option)
{
	const char *place = cli_value(c, option);
	uint64_t wanted, launches = 0;
	size_t bytes;

	if (c->quiet || !e->launches || !place || !program_place(place, &bytes, &wanted))
		return;
	for (size_t i = 0; i < e->table.n; i++)
		if (program_names_kernel(place, e->table.row[i].kernel))
			launches += e->table.row[i].launches;
	if (!launches)
		complain(WB_OK, "--%s %s: the program launched no kernel of this name; the table below has the names",
			 option, place);
	else if (launches < wanted)
		complain(WB_OK, "--%s %s: the program launched this kernel %" PRIu64 " time%s", option, place,
			 launches, launches == 1 ? "" : "s");
}

/* Run with the journal and the file of launches (NULL: unwanted). */
static enum wb_status run_recorded(const struct cli *c, const struct reach *r, const char *path, FILE *journal,
				   FILE *launches)
{
	struct program_end e = { .name = c->program_source ? c->program_source : c->program[0], .journal = path,
				 .reach = r };
	enum wb_status status;

	if ((e.status = run_and_wait(c->program)) == -1)
		return complain(WB_ENV, "%s: cannot run: %s", c->program[0], strerror(errno));
	rewind(journal);
	if (!program_end_read(&e, journal, launches))
		complain(WB_ENV, "the record of launches is damaged: launches are missing below");
	tell_missed(c, &e, "only");
	tell_missed(c, &e, "stop-at");
	program_end_tell(&e, c->quiet);
	status = exit_code_of(c, &e);
	program_end_free(&e);
	return status;
}

/* The page of the dearest launch, by the verb report; nothing for a program without launches. */
static enum wb_status write_report(const char *launch, const char *page)
{
	struct stat s;

	if (stat(launch, &s) || !s.st_size)
		return WB_OK;
	return main_verb(verb_find("report"), 5, (char *[]){ (char[]){ "report" }, (char *)(uintptr_t)launch,
							     (char[]){ "-o" }, (char *)(uintptr_t)page,
							     (char[]){ "-q" }, NULL });
}

static enum wb_status run_reached(const struct cli *c, const struct reach *r)
{
	const char *path = cli_value(c, "launches"), *page = cli_value(c, "report");
	char journal_path[PATH_MAX], dearest_path[PATH_MAX];
	struct wb_output *o = NULL;
	FILE *launches = path ? stream_open(path, &o) : NULL, *journal, *dearest = NULL;
	enum wb_status status = WB_ENV, reported = WB_OK;

	if (path && !launches)
		return WB_ENV;
	sweep();
	if (page && !(dearest = temporary("WARPBEAM_DEAREST", dearest_path)))
		return WB_ENV;
	setenv("WARPBEAM_BRIEF", launches ? "off" : "on", 1);
	if ((journal = temporary("WARPBEAM_JOURNAL", journal_path))) {
		status = run_recorded(c, r, journal_path, journal, launches);
		fclose(journal);
		unlink(journal_path);
	}
	if (launches && !stream_close(launches, o, true))
		return WB_ENV;
	if (dearest) {
		reported = write_report(dearest_path, page);
		fclose(dearest);
		unlink(dearest_path);
	}
	return status ? status : reported;
}

enum wb_status run_program(const struct cli *c)
{
	struct reach r;
	enum wb_status status = WB_OK;

	reach_look(c->program[0], &r);
	if (!*r.path)
		return complain(WB_ENV, "%s: no such program", c->program[0]);
	for (size_t i = 0; status == WB_OK && i < c->nvalues; i++)
		status = set_variable(c, &c->values[i]);
	if (status != WB_OK)
		return status;
	return set_libraries(&r) ? run_reached(c, &r) : WB_ENV;
}
