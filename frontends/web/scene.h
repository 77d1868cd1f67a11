/* A program of a page with everything that is opened with it: files, options, arguments, the player. */
#ifndef WB_FRONTENDS_WEB_SCENE_H
#define WB_FRONTENDS_WEB_SCENE_H

#include "frontends/view/view.h"

struct line_issues { int line; uint64_t issues; };

struct web_scene {
	struct wb_file *file;           /* nfiles files; the first is the program */
	size_t nfiles;
	struct wb_config *config;
	const char **argument;          /* nargument texts, then NULL */
	size_t nargument;
	const char **vertex;            /* nvertex texts, then NULL */
	size_t nvertex;
	char *kernel;                   /* option "kernel"; NULL: the only kernel */
	enum wb_status status;          /* of the pieces so far, with `diag` */
	struct wb_diag diag;
	struct wb_program *program;
	struct player player;
	struct view view;
	struct state_place position;
	bool kept;                      /* view and place come from the scene before */
	bool state_error;               /* the state string was wrong; the rest was obeyed */
	struct line_issues *issues;     /* of each instruction with a line, when surveyed */
	size_t nissues;
	bool surveyed;                  /* the run is known, and the player at its place */
	bool ended;                     /* the survey came to the end of the run */
	struct web_scene *successor;    /* scene that is surveyed to take the place of this scene, or NULL */
};

/* NULL: no memory. */
struct web_scene *web_scene_new(void);
/* Takes the successor as well; NULL is fine. */
void web_scene_free(struct web_scene *s);
/* Add a piece; file and argument own their pointers from now on. Errors come with web_scene_open. */
void web_scene_file(struct web_scene *s, char *name, void *bytes, size_t n);
void web_scene_option(struct web_scene *s, const char *name, const char *value);
void web_scene_argument(struct web_scene *s, char *text);
void web_scene_vertex(struct web_scene *s, char *text);
/* Load the program and stand before the first instruction. */
enum wb_status web_scene_open(struct web_scene *s, struct wb_diag *d);
/* Run and record, up to the end or the limit of the record. */
enum wb_status web_scene_survey(struct web_scene *s, struct wb_diag *d);
/* Go to s->position, else to an interesting position. */
enum wb_status web_scene_go(struct web_scene *s, struct wb_diag *d);
/* Documents; a run without a known end is reported for REPORT_INSNS instructions at most. The caller frees the text.
 * NULL: no memory, or a failure in *d. */
char *web_scene_json(const struct web_scene *s);
char *web_scene_report(const struct web_scene *s, struct wb_diag *d);
char *web_diag_json(const struct wb_diag *d);
/* The sentence about the latest issue. */
void web_explain(char *text, size_t size, const struct model *m);

#endif
