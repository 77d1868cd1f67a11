/* A program judged by a lab. The lab's expectations decide, never those in the program, and each run has the launch of
 * a `with` line: a program cannot make its own work smaller. */
#include "frontends/cli/lab.h"

#include <stdlib.h>
#include <string.h>

#include "frontends/cli/expect.h"

/* The goal that a line of the lab belongs to; -1: the lines above the first goal. */
static int goal_of(const struct lab *lab, int line)
{
	int goal = -1;
	while (goal + 1 < (int)lab->ngoals && lab->goal[goal + 1].line <= line)
		goal++;
	return goal;
}

/* Did a run end before its end? */
static bool is_broken(json_t *all, json_int_t run)
{
	json_t *line;
	size_t i;
	json_array_foreach(all, i, line)
		if (!json_integer_value(json_object_get(line, "line")) &&
		    json_integer_value(json_object_get(line, "run")) == run)
			return true;
	return false;
}

/* The verdicts about a goal's lines, and whether all hold, of runs that reached their ends. */
static json_t *lines_of(const struct lab *lab, json_t *all, int goal, bool *met)
{
	json_t *list = json_array(), *line;
	size_t i;
	json_array_foreach(all, i, line) {
		int number = (int)json_integer_value(json_object_get(line, "line"));
		if (!number || goal_of(lab, number) != goal)
			continue;
		const char *verdict = json_string_value(json_object_get(line, "verdict"));
		json_t *o = json_pack("{s:i, s:s, s:s, s:s}", "line", number, "text",
				      json_string_value(json_object_get(line, "text")), "verdict", verdict, "sentence",
				      json_string_value(json_object_get(line, "sentence")));
		json_t *found = json_object_get(line, "found");
		if (found)
			json_object_set_new(o, "found", json_real(json_number_value(found)));
		json_array_append_new(list, o);
		*met = *met && !strcmp(verdict, "holds") &&
		       !is_broken(all, json_integer_value(json_object_get(line, "run")));
	}
	*met = *met && json_array_size(list);
	return list;
}

/* The sentence about the first run that ended before its end; NULL: none did. */
static const char *broken_run(json_t *lines)
{
	json_t *line;
	size_t i;
	json_array_foreach(lines, i, line)
		if (!json_integer_value(json_object_get(line, "line")))
			return json_string_value(json_object_get(line, "sentence"));
	return NULL;
}

json_t *lab_judge_file(const struct cli *c, const struct lab *lab, const char *path, enum wb_status *status)
{
	struct session s = {.path = NULL};
	if (session_load(&s, path, c->config))
		complain_warnings(c, s.program);
	json_t *o = lab_judge(lab, c, &s, status);
	session_close(&s);
	return o;
}

json_t *lab_judge(const struct lab *lab, const struct cli *c, struct session *s, enum wb_status *status)
{
	struct expect_count count = {.lines = json_array()};
	struct expect_source from = {.name = lab->name, .program = true};
	char *error = NULL;
	json_t *goals = json_array();
	struct wb_diag d;
	int met = 0;

	from.text = memcpy(grow(NULL, lab->n + 1), lab->text, lab->n + 1);
	if (!wb_config_given(c->config, "max-insns"))
		wb_config_set(c->config, "max-insns", LAB_INSNS, &d);
	*status = s->program ? expect_check(c, s, &from, NULL, NULL, &count) : s->status;
	if (*status != WB_OK)
		error = s->diag.text[0] ? diag_line(&s->diag) : NULL;
	else if (broken_run(count.lines))
		error = strdup(broken_run(count.lines));
	for (size_t i = 0; i < lab->ngoals; i++) {
		bool holds = *status == WB_OK;
		json_t *lines = lines_of(lab, count.lines, (int)i, &holds);
		json_t *o = json_pack("{s:s, s:b, s:o}", "goal", lab->goal[i].text, "met", holds, "lines", lines);
		json_array_append_new(goals, o);
		met += holds;
	}
	json_t *o = json_pack("{s:s, s:i, s:b, s:i, s:o}", "file", shown(s->path), "exit", (int)*status, "solved",
			      !error && met == (int)lab->ngoals, "met", met, "goals", goals);
	if (error)
		json_object_set_new(o, "error", json_string(shown(error)));
	if (count.wrong && *status == WB_OK)
		*status = complain(WB_INPUT, "%s: %u line%s of the lab %s in error", shown(lab->name), count.wrong,
				   count.wrong == 1 ? "" : "s", count.wrong == 1 ? "is" : "are");
	json_decref(count.lines);
	free(error);
	free(from.text);
	return o;
}
