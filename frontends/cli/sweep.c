/* sweep: a grid of runs. Workers fetch points, finished rows go to a journal at once, and the table is written at the
 * end, in the order of the plan. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/cli/interrupts.h"
#include "frontends/cli/progress.h"
#include "frontends/cli/sweep.h"
#include "frontends/cli/verbs.h"
#include "frontends/cli/vertices.h"

const struct opt sweep_options[] = {
	{"output", 'o', OPT_OUTPUT, "OUT.csv|OUT.json", NULL, "Sweep",
	 "write the table to a file, and finished points to OUT.points beside it until it is complete", false},
	{"jobs", 'j', OPT_VALUE, "N", NULL, "Sweep",
	 "points at a time; default as many as there are processors, under mpirun 1 for each rank", false},
	{"axis", 0, OPT_LIST, "NAME=V,V…", NULL, "Sweep",
	 "of a program: an axis over a setting, as in a plan; between values with commas stands ';'. Options with one "
	 "value take several as well: --policy rr,gto", false},
	{"columns", 0, OPT_VALUE, "NAME,…", NULL, "Sweep", "of a program: what the table says of a run", false},
	{"arg", 'a', OPT_LIST, "ARG", NULL, "Sweep", "of a program: next argument, as for run", false},
	VERTICES_OPTION,
	{"resume", 0, OPT_SWITCH, NULL, NULL, "Sweep", "keep the points that OUT.points has", false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

enum { MOST_JOBS = 1024, MPI_MILLISECONDS = 1 };

static volatile sig_atomic_t interrupted;

static void stop_sweep(void)
{
	interrupted = 1;
}

bool ranks_wanted(void)
{
	const char *size = getenv("OMPI_COMM_WORLD_SIZE"); /* Open MPI's mpirun sets the variable */
	return size && atoi(size) > 1;
}

/* ---- Points ---- */

bool sweep_next(struct sweep *s, unsigned long *point)
{
	while (s->next < s->plan->points && s->rows[s->next])
		s->next++;
	*point = s->next;
	return s->next++ < s->plan->points;
}

/* A result of the point itself; rows that could not run, or that failed for reasons of the host, are tried again by
 * --resume. */
static bool lasting(const json_t *row)
{
	json_int_t status = json_integer_value(json_object_get(row, "exit"));
	const char *result = json_string_value(json_object_get(row, "result"));
	return result && strcmp(result, "error") != 0 && status != WB_ENV && status != WB_INTERNAL &&
	       status != WB_INTERRUPTED;
}

static bool accept_row(struct sweep *s, json_t *row)
{
	json_int_t point = json_is_integer(json_object_get(row, "point")) ?
				   json_integer_value(json_object_get(row, "point")) : -1;
	bool wanted = point >= 0 && (unsigned long)point < s->plan->points && !s->rows[point] &&
		      json_is_integer(json_object_get(row, "exit")) && json_is_string(json_object_get(row, "result")) &&
		      json_array_size(json_object_get(row, "values")) == json_array_size(s->plan->columns);
	if (!wanted) {
		json_decref(row);
		return false;
	}
	s->rows[point] = row;
	s->finished++;
	return true;
}

/* ---- The journal: a line that identifies the sweep, then a line for each row and for each file that rows read, with
 * the checksum of the text before each text ---- */

static void write_line(struct sweep *s, const json_t *line)
{
	char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(15)), sum[HASH_TEXT];
	if (text) {
		hash_line(text, strlen(text), sum);
		fprintf(s->journal, "%s %s\n", sum, text);
	}
	free(text);
}

/* The document of an undamaged line, or NULL. */
static json_t *read_line(const char *line, size_t n)
{
	enum { SUM = HASH_TEXT - 1 };
	char sum[HASH_TEXT];
	if (n <= SUM || line[SUM] != ' ')
		return NULL;
	hash_line(line + SUM + 1, n - SUM - 1, sum);
	return memcmp(line, sum, SUM) ? NULL : json_loadb(line + SUM + 1, n - SUM - 1, 0, NULL);
}

/* Note a file; false: the file is known already with the same hash. */
static bool accept_file(struct sweep *s, const char *name, const char *hash)
{
	const char *known = json_string_value(json_object_get(s->files, name));
	if (!name || !hash || (known && !strcmp(known, hash)))
		return false;
	json_object_set_new(s->files, name, json_string(hash));
	return true;
}

/* Files go before the first row that read them, so that a row in the journal is never without files. */
static void write_files(struct sweep *s, const json_t *files)
{
	const char *name;
	json_t *hash;
	json_object_foreach((json_t *)files, name, hash) {
		if (!accept_file(s, name, json_string_value(hash)))
			continue;
		json_t *line = json_pack("{s:s, s:O}", "file", name, "hash", hash);
		write_line(s, line);
		json_decref(line);
	}
}

void sweep_add_row(struct sweep *s, json_t *row)
{
	json_t *files = json_incref(json_object_get(row, "files"));
	json_object_del(row, "files");
	if (accept_row(s, row) && s->journal && lasting(row)) {
		write_files(s, files);
		write_line(s, row);
		fflush(s->journal);
	}
	json_decref(files);
}

/* Take the rows of a journal; returns the length of the whole lines, as a killed process may have left half a line. */
static size_t replay(struct sweep *s, char *text)
{
	char *line = strchr(text, '\n') + 1, *end;
	for (; (end = strchr(line, '\n')); line = end + 1) {
		json_t *one = read_line(line, (size_t)(end - line));
		const char *file = json_string_value(json_object_get(one, "file"));
		bool taken = file ? accept_file(s, file, json_string_value(json_object_get(one, "hash"))) :
				    one && accept_row(s, json_incref(one));
		json_decref(one);
		if (!taken)
			break;
	}
	return (size_t)(line - text);
}

/* Are the files that the kept rows have read unchanged? */
static bool files_unchanged(const struct sweep *s, const char *path)
{
	const char *name;
	json_t *hash;
	json_object_foreach(s->files, name, hash) {
		char now[HASH_TEXT];
		bool there = hash_file(name, now);
		if (there && !strcmp(now, json_string_value(hash)))
			continue;
		complain(WB_USAGE, "%s: '%s' %s since these points ran; without --resume they are dropped", path, name,
			 there ? "has changed" : "has gone");
		return false;
	}
	return true;
}

static enum wb_status resume_journal(struct sweep *s, const char *path, const char *head, size_t *keep)
{
	char *text;
	size_t n;
	if (access(path, F_OK))
		return WB_OK;
	if (!read_all(path, &text, &n))
		return WB_ENV;
	bool mine = !strncmp(text, head, strlen(head));
	if (mine)
		*keep = replay(s, text);
	free(text);
	if (mine)
		return files_unchanged(s, path) ? WB_OK : WB_USAGE;
	return complain(WB_USAGE, "%s: these points are of another plan, version or set of options; without --resume "
			"they are dropped", path);
}

/* path: of the table; NULL: no table and no journal. */
static enum wb_status open_journal(struct sweep *s, const char *path, bool resume)
{
	char head[80];
	size_t keep = 0;
	if (!path)
		return WB_OK;
	snprintf(head, sizeof head, "{\"schema\":\"warpbeam.points/3\",\"of\":\"%s\"}\n", s->plan->settings_hash);
	enum wb_status status = resume ? resume_journal(s, path, head, &keep) : WB_OK;
	if (status != WB_OK)
		return status;
	if (resume && !s->quiet)
		fprintf(stderr, "warpbeam: %lu of %lu points are kept\n", s->finished, s->plan->points);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666); /* a link may lead to anything */
	s->journal = fd < 0 ? NULL : fdopen(fd, "r+");
	bool ok = s->journal && ftruncate(fileno(s->journal), (off_t)keep) == 0 &&
		  fseek(s->journal, 0, SEEK_END) == 0 && (keep || fputs(head, s->journal) >= 0) &&
		  fflush(s->journal) == 0;
	return ok ? WB_OK : complain(WB_ENV, "%s: cannot write: %s", path, strerror(errno));
}

/* ---- The work ---- */

static void assign_points(struct sweep *s, struct worker_pool *pool)
{
	unsigned long point;
	for (unsigned i = 0; i < pool->n; i++)
		if (!pool->workers[i].busy && sweep_next(s, &point))
			pool_assign(pool, i, point);
}

static void run_all(struct sweep *s, struct worker_pool *pool, struct ranks *ranks, const struct cli *c)
{
	struct progress progress;
	progress_start(&progress, c, "sweep");
	while (s->finished < s->plan->points && !interrupted) {
		unsigned worker;
		assign_points(s, pool);
		json_t *row = pool_wait(pool, ranks->size > 1 ? MPI_MILLISECONDS : 1000, &worker);
		if (row)
			sweep_add_row(s, row);
		ranks_serve(ranks, s);
		const struct progress_work points = {.unit = "points", .done = s->finished, .all = s->plan->points};
		progress_show(&progress, &points, 1);
	}
	progress_end(&progress);
}

/* The verdict; a sweep with failed points has failed, though the table is complete. */
static enum wb_status conclude(const struct sweep *s, const struct cli *c)
{
	unsigned long bad = 0, first = 0;
	for (unsigned long i = s->plan->points; i-- > 0;) {
		if (json_integer_value(json_object_get(s->rows[i], "exit")) == WB_OK)
			continue;
		bad++;
		first = i;
	}
	if (!bad)
		return WB_OK;
	if (!c->quiet)
		complain(WB_FAILED, "%lu of %lu points failed; point %lu: %s %s", bad, s->plan->points, first,
			 json_string_value(json_object_get(s->rows[first], "result")),
			 json_string_value(json_object_get(s->rows[first], "message")));
	return WB_FAILED;
}

static enum wb_status sweep_master(struct sweep *s, struct worker_pool *pool, struct ranks *ranks, const struct cli *c,
				   const char *table, const char *points)
{
	enum wb_status status = open_journal(s, points, cli_on(c, "resume"));
	if (status != WB_OK)
		return status;
	interrupts_begin(stop_sweep, INTERRUPTS_ALL);
	run_all(s, pool, ranks, c);
	interrupts_end();
	if (s->finished < s->plan->points)
		return complain(WB_INTERRUPTED, "interrupted: %lu of %lu points are finished%s", s->finished,
				s->plan->points, points ? "; --resume goes on from there" : "");
	status = table_write(s, table, table ? strstr(table, ".json") != NULL : c->json);
	if (status == WB_OK && points)
		unlink(points);
	if (status == WB_OK && !c->quiet)
		table_verdict(s, stderr);
	return status == WB_OK ? conclude(s, c) : status;
}

/* ---- The verb ---- */

static bool count_jobs(const struct cli *c, unsigned *jobs)
{
	unsigned long n = 1;
	cpu_set_t set;
	if (cli_given(c, "jobs")) {
		if (!cli_number(c, "jobs", MOST_JOBS, &n))
			return false;
		*jobs = n ? (unsigned)n : 1;
		return true;
	}
	bool counted = !ranks_wanted() && sched_getaffinity(0, sizeof set, &set) == 0;
	*jobs = counted ? (unsigned)CPU_COUNT(&set) : 1;
	return true;
}

/* The absolute name of the table, since the process moves to the folder of the plan; NULL: standard output. */
static bool place_table(const struct cli *c, char **table, char **points)
{
	const char *name = cli_value(c, "output"), *dot = name ? strrchr(name, '.') : NULL;
	*table = *points = NULL;
	if (!name && cli_on(c, "resume")) {
		complain(WB_USAGE, "--resume needs -o: finished points are stored beside the table");
		return false;
	}
	if (!name)
		return true;
	if (!dot || (strcmp(dot, ".csv") != 0 && strcmp(dot, ".json") != 0)) {
		complain(WB_USAGE, "option '--output' expects a name that ends in .csv or .json; found '%s'", name);
		return false;
	}
	char *folder = name[0] == '/' ? NULL : getcwd(NULL, 0);
	if (asprintf(table, "%s%s%s", folder ? folder : "", folder ? "/" : "", name) < 0 ||
	    asprintf(points, "%s.points", *table) < 0)
		no_memory();
	free(folder);
	return true;
}

/* Workers are started before MPI is: a process of MPI should not fork. */
static enum wb_status sweep_plan(struct sweep *s, const struct cli *c, unsigned jobs, const char *table,
				 const char *points)
{
	struct worker_pool pool;
	struct ranks ranks = {.size = 1};
	enum wb_status status = WB_ENV;
	if (jobs > s->plan->points)
		jobs = (unsigned)s->plan->points;
	bool ok = pool_start(&pool, jobs, s->plan, c->config);
	if (ok)
		status = ranks_open(&ranks, &pool);
	if (status == WB_OK && ranks.rank)
		ranks_work(&ranks, &pool);
	else if (status == WB_OK)
		status = sweep_master(s, &pool, &ranks, c, table, points);
	pool_stop(&pool);
	ranks_close(&ranks);
	return status;
}

static json_t *list_of(const char *text, const char *between)
{
	json_t *list = json_array();
	while (*text) {
		size_t n = strcspn(text, between);
		json_array_append_new(list, json_stringn(text, n));
		text += n + (text[n] != '\0');
	}
	return list;
}

/* What the command line gives of a plan: members "axes", "columns", "set" as far as there are any. False: the error was
 * printed. */
static bool read_given(const struct cli *c, json_t *given)
{
	json_t *axes = json_object(), *set = json_object(), *args = json_array();
	const char *columns = cli_value(c, "columns"), *vertices = cli_value(c, "in");
	bool good = true;
	for (size_t i = 0; i < c->nvalues && good; i++) {
		const struct value *v = &c->values[i];
		const char *equals = strchr(v->text, '=');
		char name[64];
		if (!strcmp(v->name, "arg"))
			json_array_append_new(args, json_string(v->text));
		else if (v->axis)
			json_object_set_new(axes, v->name, list_of(v->text, ","));
		if (strcmp(v->name, "axis"))
			continue;
		good = equals && equals > v->text && equals[1] && (size_t)(equals - v->text) < sizeof name;
		if (!good) {
			complain(WB_USAGE, "option '--axis' expects NAME=VALUE,VALUE…; found '%s'", v->text);
			break;
		}
		snprintf(name, sizeof name, "%.*s", (int)(equals - v->text), v->text);
		json_object_set_new(axes, name, list_of(equals + 1, strchr(equals, ';') ? ";" : ","));
	}
	if (json_array_size(args))
		json_object_set(set, "args", args);
	if (vertices)
		json_object_set_new(set, "in", json_string(vertices));
	if (json_object_size(axes))
		json_object_set(given, "axes", axes);
	if (json_object_size(set))
		json_object_set(given, "set", set);
	if (columns)
		json_object_set_new(given, "columns", list_of(columns, ","));
	json_decref(axes);
	json_decref(set);
	json_decref(args);
	return good;
}

enum wb_status verb_sweep(struct cli *c)
{
	const char *path = cli_operand(c, "PLAN.json or a program");
	struct plan plan;
	unsigned jobs;
	char *table, *points;
	enum wb_status status;
	if (!path || !count_jobs(c, &jobs) || !place_table(c, &table, &points))
		return WB_USAGE;
	json_t *given = json_object();
	if (!read_given(c, given)) {
		plan = (struct plan){.path = path};
		status = WB_USAGE;
	} else if (plan_open(&plan, path, given, c->config, &status)) {
		struct sweep s = {.plan = &plan, .quiet = c->quiet, .rows = grow(NULL, plan.points * sizeof *s.rows),
				  .files = json_object()};
		memset(s.rows, 0, plan.points * sizeof *s.rows);
		status = sweep_plan(&s, c, jobs, table, points);
		for (unsigned long i = 0; i < plan.points; i++)
			json_decref(s.rows[i]);
		free(s.rows);
		json_decref(s.files);
		if (s.journal)
			fclose(s.journal);
	}
	plan_close(&plan);
	json_decref(given);
	free(table);
	free(points);
	return status;
}
