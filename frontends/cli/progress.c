/* One line on stderr, written over itself at most five times a second from the second second on, erased at the end. */
#include "frontends/cli/progress.h"

#include <time.h>
#include <unistd.h>

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(struct progress *p, const struct cli *c, const char *what)
{
	*p = (struct progress){.what = what, .wanted = !c->quiet && isatty(STDERR_FILENO), .started = seconds()};
}

void progress_show(struct progress *p, unsigned long long done, unsigned long long all)
{
	double now = p->wanted ? seconds() : 0, spent = now - p->started;
	if (!p->wanted || spent < 1 || now - p->shown < 0.2)
		return;
	p->shown = now;
	p->visible = true;
	fprintf(stderr, "\r%s: %llu of %llu in %.0f s", shown(p->what), done, all, spent);
	if (done)
		fprintf(stderr, ", %.0f/s, %.0f s left", (double)done / spent,
			(double)(all - done) / ((double)done / spent));
	fputs("\033[K", stderr);
}

void progress_end(struct progress *p)
{
	if (p->visible)
		fputs("\r\033[K", stderr);
}
