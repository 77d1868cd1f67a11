/* What is shown: the user's choices (struct view), the machine as it stands (struct model), and the panes that draw
 * the one by the other. Everything here is a function of the launch's position and the view, never of how one came
 * there, so that the same state string gives the same picture. */
#ifndef WB_FRONTENDS_VIEW_VIEW_H
#define WB_FRONTENDS_VIEW_VIEW_H

#include "frontends/view/canvas.h"
#include "frontends/view/heat.h"
#include "frontends/view/player.h"

enum pane {
#define PANE(id, key, title, shows) PANE_##id,
#include "frontends/view/pane.def"
#undef PANE
	PANES
};

enum opening { OPEN_AUTO, OPEN_YES, OPEN_NO }; /* auto: where there is room */
enum colour_by { BY_LANES, BY_STATE, BY_PC, BY_DEPTH, BY_BLOCK, COLOUR_BYS };

enum { WATCHES = 8, WATCH_TEXT = 24, SLOTS = 64, LANES = 64, ZOOM_MAX = 6, ZOOM_MIN = -16 };

struct watch_row {
	char name[WATCH_TEXT]; /* "$r3", "s[0x40]" */
	char format;           /* 'x', 'd', 'u' or 'f' */
};

struct view {
	const char *title; /* of the program: a file's name */
	const char *against; /* of the one that it is compared with; NULL: none */
	enum pane focus;
	bool alone;         /* the focused pane has the whole window */
	enum pane front[3]; /* panes brought to the front where several share a place */
	int theme;
	int mp;     /* multiprocessor; -1: the one that issued last */
	int slot;   /* selected warp; -1: the one that issued last */
	int64_t pc; /* selected in the listing; -1: the selected warp's */
	enum colour_by colour;
	enum heat heat;    /* of the listing */
	int zoom;          /* timeline: 0 all; n > 0: 2^(n-1) units a cycle; n < 0: 2^-n cycles a unit */
	int64_t left;      /* its first cycle when zoomed; -1: around the cursor */
	enum opening open; /* whether it shows the lanes of the selected warp */
	int scroll[PANES]; /* rows */
	struct watch_row watch[WATCHES]; /* unnamed ones are not used; none: what the last instruction names */
	bool help, running;
	char message[160];    /* of the last command */
	const char *prompt;   /* command line being typed, or NULL */
	int speed;            /* steps a second; 0: as fast as possible */
	int mouse_x, mouse_y; /* units; -1: not there */
	int64_t mark;         /* cycle where a drag began; -1 */
	const uint64_t *bookmark; /* positions, ascending */
	unsigned nbookmarks;
};

struct code_row {
	uint32_t pc, length;
	char *text;
	const char *label;
	int line;
	int64_t target; /* of a jump; -1 */
	struct wb_pc cost;
};

/* A line of the source, and what the instructions that come from it cost. */
struct source_row {
	const char *text; /* n bytes of the launch's source */
	int n, first;     /* first: index of its first instruction; -1: it has none */
	unsigned instructions;
	uint64_t issues, threads, lost, waited, heat;
};

/* One watch: its values in the lanes now and before the last issue. */
struct watched {
	struct watch_row row;
	bool valid, one; /* one: it has one value, now[0], not one a lane */
	bool mask;       /* whose bits are the lanes' */
	unsigned bits;   /* of a value: 32 or 64 */
	uint64_t now[LANES], before[LANES];
};

/* The timeline's columns, gathered from the record once for pictures that show the same part of it. */
struct gathered;
struct gathered *gathered_new(void); /* NULL: the host has no memory */
void gathered_free(struct gathered *t);

/* What the machine calls and has of its own. */
struct model_terms {
	unsigned simds; /* of a multiprocessor */
	const char *mask_register; /* NULL: lanes are steered by a stack */
	enum wb_stage stage;       /* what a thread is */
	bool blocks;               /* its warps have numbers within blocks */
};

/* The multiprocessor that is shown. */
struct model_mp {
	uint32_t number;
	struct wb_warp warp[SLOTS];
	bool present[SLOTS];
	unsigned nslots, npresent;
	uint64_t first_cycle, last_cycle; /* of what it is known to issue */
	bool began;                       /* it has issued */
	uint64_t cycle;                   /* of its last issue so far */
};

/* The instructions, and the source's lines, with what they cost. */
struct model_listing {
	unsigned ncode;
	struct code_row *code;
	int nlines;
	struct source_row *line; /* line[n − 1] is line n; none: the program has no source */
	enum heat heat;          /* settled */
	uint64_t most_heat;      /* of a row */
	uint64_t most_line_heat;
};

/* s[] of the selected warp's block, now and before the last issue. */
struct model_shared {
	uint32_t bytes;
	uint8_t *now, *before;
};

struct model {
	struct player *player;
	struct gathered *gathered;
	struct wb_machine machine;
	struct model_terms terms;
	struct wb_where at;
	struct model_mp mp;
	const struct wb_warp *selected; /* NULL: no warp is resident */
	struct {
		struct wb_warp warp; /* that acted last, as it was before */
		bool known;
	} acted;
	const struct wb_report *report; /* so far */
	const struct wb_report *costs;  /* of the whole run once that is known, else so far */
	struct model_listing listing;
	struct {
		unsigned n;
		struct watched entry[WATCHES];
	} watch;
	/* The run that this one is compared with, at the same cycle, or NULL; of that one it is this, and second. */
	const struct model *against;
	bool second;
	struct model_shared shared;
};

void view_init(struct view *v, const char *title);
/* Give a pane the focus, and bring it to the front where it shares its place. */
void view_focus(struct view *v, enum pane p);

/* Read the program once. False: the host has no memory. */
bool model_open(struct model *m, struct player *p);
/* Read the machine where it stands. The player moves and comes back. */
enum wb_status model_read(struct model *m, const struct view *v, struct wb_diag *d);
void model_close(struct model *m);
/* Compare m, which has been read, with another run: that goes to the same cycle and is read there. */
enum wb_status model_compare(struct model *m, struct model *other, const struct view *v, struct wb_diag *d);
/* The first issue in which the two differ: its position, or UINT64_MAX if they are the same as far as recorded. */
uint64_t model_parting(const struct model *m);
/* The row of a pc, or NULL. */
const struct code_row *model_code(const struct model *m, uint32_t pc);
/* The line of the instruction that is selected, or that the selected warp is at; 0: none is known. */
int model_line(const struct model *m, const struct view *v);
/* The label of a pc, or "". */
const char *model_label(const struct model *m, uint32_t pc);
/* The state of a lane of a warp as it stands. */
enum lane_state model_lane(const struct wb_warp *w, unsigned lane);

/* Draw everything. */
void frame_draw(struct canvas *c, const struct model *m, const struct view *v);
/* The size in pixels that the focused pane alone needs for what it has to show, at a scale. */
void frame_fit(const struct model *m, const struct view *v, int scale, int *w, int *h);
/* What is at a place, for the mouse: fills text with its value, and what a click selects. */
struct hit {
	enum pane pane;
	int slot;      /* -1: none */
	int64_t pc;    /* -1: none */
	int64_t cycle; /* -1: none */
	int64_t map;   /* cycle that a click on the timeline's map shows; -1: none */
	int width;     /* units of the timeline's plot, where there is a cycle */
	double per_unit;
	char text[200];
};
/* Does the timeline of such a picture show the lanes of the selected warp? */
bool frame_opened(const struct canvas *c, const struct model *m, const struct view *v);
void frame_hit(const struct canvas *c, const struct model *m, const struct view *v, int x, int y, struct hit *out);

const char *pane_name(enum pane p);
const char *pane_title(enum pane p);
const char *pane_shows(enum pane p);
char pane_key(enum pane p);
/* PANES: there is none of that name. */
enum pane pane_find(const char *name);
const char *colour_by_name(enum colour_by by);

/* The position and the view as a line of text that gives the same picture again, "wb1:k=ifelse;c=128;w=3;pane=stack".
 */
void state_format(char *text, size_t size, const struct model *m, const struct view *v);
struct state_place {
	bool has_cycle, has_issue;
	uint64_t cycle, issue;
};
/* False: d says what is wrong with it. Unknown keys are an error: a typing mistake would otherwise go unseen. */
bool state_parse(const char *text, struct view *v, struct state_place *place, struct wb_diag *d);

#endif
