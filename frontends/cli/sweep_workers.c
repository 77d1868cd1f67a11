/* The workers of the local machine: processes, so that a point that crashes its process leaves the others alone. Each
 * worker reads numbers of points from its socket and answers with rows, one message each. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontends/cli/sweep.h"

enum { LONGEST_ROW = 1 << 16 };

static void send_row(int socket, const json_t *row)
{
	char *text = json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(15));
	bool ok = text && send(socket, text, strlen(text), MSG_NOSIGNAL) >= 0;
	free(text);
	if (!ok)
		_exit(WB_ENV);
}

/* The life of a worker: until the other end of its socket is closed, or, even inside a point, until the process
 * `parent` ends. */
static _Noreturn void work(const struct worker_pool *c, int socket, int parent)
{
	unsigned long point;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* the parent has already ended */
		_exit(WB_ENV);
	signal(SIGINT, SIG_IGN); /* the parent alone answers what the whole group is sent */
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	while (recv(socket, &point, sizeof point, 0) == sizeof point) {
		json_t *row = point_run(c->plan, c->config, point);
		send_row(socket, row);
		json_decref(row);
	}
	_exit(0);
}

static bool start_one(struct worker_pool *c, struct worker *w)
{
	int pair[2];
	fflush(NULL); /* write buffered output once, not in each process */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		complain(WB_ENV, "cannot make a socket: %s", strerror(errno));
		return false;
	}
	int parent = getpid(), pid = fork();
	if (pid == 0) {
		for (unsigned i = 0; i < c->n; i++)
			if (c->workers[i].socket >= 0)
				close(c->workers[i].socket);
		close(pair[0]);
		work(c, pair[1], parent);
	}
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		complain(WB_ENV, "cannot start a worker: %s", strerror(errno));
		return false;
	}
	*w = (struct worker){.pid = pid, .socket = pair[0]};
	return true;
}

bool pool_start(struct worker_pool *c, unsigned n, const struct plan *p, const struct wb_config *config)
{
	*c = (struct worker_pool){.plan = p, .config = config, .workers = grow(NULL, n * sizeof *c->workers), .n = n};
	for (unsigned i = 0; i < n; i++)
		c->workers[i] = (struct worker){.socket = -1};
	for (unsigned i = 0; i < n; i++)
		if (!start_one(c, &c->workers[i]))
			return false;
	return true;
}

/* A worker that has died shows in a later wait. */
void pool_assign(struct worker_pool *c, unsigned worker, unsigned long point)
{
	struct worker *w = &c->workers[worker];
	w->busy = true;
	w->point = point;
	(void)!send(w->socket, &point, sizeof point, MSG_NOSIGNAL);
}

static json_t *replace_worker(struct worker_pool *c, struct worker *w)
{
	int status = 0;
	char why[80];
	unsigned long point = w->point;
	close(w->socket);
	waitpid(w->pid, &status, 0);
	if (WIFSIGNALED(status))
		snprintf(why, sizeof why, "its worker died of signal %d", WTERMSIG(status));
	else
		snprintf(why, sizeof why, "its worker ended with exit code %d", WEXITSTATUS(status));
	w->socket = -1;
	if (!start_one(c, w))
		exit(WB_ENV);
	return point_failed(c->plan, point, WB_INTERNAL, why);
}

static json_t *receive(struct worker_pool *c, struct worker *w)
{
	char *text = grow(NULL, LONGEST_ROW);
	ssize_t n = recv(w->socket, text, LONGEST_ROW, MSG_TRUNC);
	json_t *row = n > 0 && n <= LONGEST_ROW ? json_loadb(text, (size_t)n, 0, NULL) : NULL;
	free(text);
	w->busy = false;
	if (n <= 0)
		return replace_worker(c, w);
	return row ? row : point_failed(c->plan, w->point, WB_INTERNAL, "its row is too long or no JSON");
}

json_t *pool_wait(struct worker_pool *c, int milliseconds, unsigned *worker)
{
	struct pollfd *sockets = grow(NULL, c->n * sizeof *sockets);
	json_t *row = NULL;
	for (unsigned i = 0; i < c->n; i++)
		sockets[i] = (struct pollfd){.fd = c->workers[i].busy ? c->workers[i].socket : -1, .events = POLLIN};
	int ready = poll(sockets, c->n, milliseconds);
	for (unsigned i = 0; ready > 0 && i < c->n && !row; i++) {
		if (!sockets[i].revents)
			continue;
		*worker = i;
		row = receive(c, &c->workers[i]);
	}
	free(sockets);
	return row;
}

void pool_stop(struct worker_pool *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		if (c->workers[i].socket < 0)
			continue;
		kill(c->workers[i].pid, SIGKILL);
		close(c->workers[i].socket);
		waitpid(c->workers[i].pid, NULL, 0);
	}
	free(c->workers);
}
