/* Runs a command and kills the process before its N-th system call, calls that change no file left out: every state of
 * files can be tried, and none twice. Or counts the system calls.
 *
 *     kill_at [-t] N|count COMMAND [ARGUMENT]...
 *
 * Exit 0: killed; 1: the command ended before. count: standard output is the number alone. -t: the file system has no
 * files without names (O_TMPFILE). Only the command itself is followed, not its children. Exit 77: the host does not
 * let a process be followed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SKIPPED = 77 };

static pid_t start(char **argv)
{
	pid_t child = fork();

	if (child)
		return child;
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(SKIPPED);
	if (!freopen("/dev/null", "w", stdout))
		_exit(SKIPPED);
	raise(SIGSTOP);
	execvp(argv[0], argv);
	_exit(127);
}

/* Refuse the system call that begins, like a file system without O_TMPFILE. */
static bool refuse_nameless(pid_t child)
{
#ifdef __x86_64__
	struct user_regs_struct r;

	if (ptrace(PTRACE_GETREGS, child, NULL, &r) || r.orig_rax != SYS_openat || (r.rdx & O_TMPFILE) != O_TMPFILE)
		return false;
	r.orig_rax = (unsigned long long)-1;
	ptrace(PTRACE_SETREGS, child, NULL, &r);
	return true;
#else
	(void)child;
	return false;
#endif
}

static void say_refused(pid_t child)
{
#ifdef __x86_64__
	struct user_regs_struct r;

	ptrace(PTRACE_GETREGS, child, NULL, &r);
	r.rax = (unsigned long long)-EOPNOTSUPP;
	ptrace(PTRACE_SETREGS, child, NULL, &r);
#else
	(void)child;
#endif
}

/* Whether the beginning system call changes no file: a kill before the call is a kill after the call. Unknown calls may
 * change files. */
static bool keeps_files(pid_t child)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info) <= 0 || info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return false;
	switch (info.entry.nr) {
	case SYS_read: case SYS_pread64: case SYS_lseek: case SYS_close: case SYS_dup: case SYS_fcntl: case SYS_ioctl:
	case SYS_fstat: case SYS_newfstatat: case SYS_brk: case SYS_mmap: case SYS_munmap: case SYS_mprotect:
	case SYS_madvise: case SYS_rt_sigaction: case SYS_rt_sigprocmask: case SYS_getpid: case SYS_sysinfo:
	case SYS_getrandom: case SYS_futex: case SYS_clock_nanosleep:
		return true;
	case SYS_openat:
		return !(info.entry.args[2] & (O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY)));
	default:
		return false;
	}
}

int main(int argc, char **argv)
{
	bool nameless = argc > 1 && strcmp(argv[1], "-t") != 0, entered = false, refused = false;
	unsigned long calls = 0, at;
	int status, give = 0;
	pid_t child;

	argv += nameless ? 1 : 2;
	if (argc < (nameless ? 3 : 4))
		return 2;
	at = strtoul(argv[0], NULL, 10);
	child = start(argv + 1);
	if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL))
		return SKIPPED;
	for (;;) {
		if (ptrace(PTRACE_SYSCALL, child, NULL, give) || waitpid(child, &status, 0) < 0)
			return SKIPPED;
		if (!WIFSTOPPED(status))
			break;
		give = WSTOPSIG(status) == (SIGTRAP | 0x80) || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		if (WSTOPSIG(status) != (SIGTRAP | 0x80))
			continue;
		entered = !entered;
		if (entered && !keeps_files(child) && ++calls == at) {
			kill(child, SIGKILL);
			waitpid(child, &status, 0);
			return 0;
		}
		if (entered)
			refused = !nameless && refuse_nameless(child);
		else if (refused)
			say_refused(child);
	}
	if (!at)
		printf("%lu\n", calls);
	return at ? 1 : !WIFEXITED(status) || WEXITSTATUS(status);
}
