/* A picture's inputs: the user's choices (struct view), the stopped machine (struct model), and the panes that draw the
 * model by the view. Everything here is a function of the launch's position and the view, independent of the way there,
 * so that equal state strings give equal pictures. */
#ifndef WB_FRONTENDS_VIEW_VIEW_H
#define WB_FRONTENDS_VIEW_VIEW_H

#include "frontends/view/canvas.h"
#include "frontends/view/heat.h"
#include "frontends/view/player.h"

enum pane {
#define PANE(id, key, title, shows) PANE_##id,
#include "frontends/view/pane.def"
#undef PANE
	PANES,
};

enum { FRONTS = 4 }; /* places shared by several panes */

enum opening { OPEN_AUTO, OPEN_YES, OPEN_NO }; /* auto: open where the pane is large enough */
enum colour_by { BY_LANES, BY_STATE, BY_PC, BY_DEPTH, BY_BLOCK, COLOUR_BYS };

enum { WATCHES = 8, WATCH_TEXT = 24, SLOTS = 64, LANES = 64, ZOOM_MAX = 6, ZOOM_MIN = -16 };

enum { FORMAT_BY_TYPE = 't' };

struct watch_row {
	char name[WATCH_TEXT]; /* "$r3", "s[0x40]" */
	char format;           /* 'x', 'd', 'u', 'f', or FORMAT_BY_TYPE: of a variable its own, else 'x' */
};

struct view {
	const char *title; /* file name of the program */
	const char *against; /* file name of the program to compare with; NULL: none */
	const char *advice[3]; /* what would help the run, dearest first; NULL: no more, or not known */
	bool compiled;       /* the program comes from a compiler: the source is open beside the instructions */
	enum pane focus;
	bool alone;         /* the focused pane fills the window */
	enum pane front[FRONTS]; /* front panes of places shared by several panes */
	int theme;
	int mp;     /* multiprocessor; -1: of the latest issue */
	int slot;   /* selected warp; -1: of the latest issue */
	int64_t pc; /* selected pc of the listing; -1: the selected warp's */
	enum colour_by colour;
	enum heat heat;    /* heat of the listing */
	int zoom;          /* timeline: 0 all; n > 0: 2^(n-1) units a cycle; n < 0: 2^-n cycles a unit */
	int64_t left_cycle; /* first cycle of the zoomed timeline; -1: around the cursor */
	enum opening open; /* whether the timeline shows the lanes of the selected warp */
	int scroll[PANES]; /* rows */
	struct watch_row watch[WATCHES]; /* unnamed rows are unused; all unused: registers of the latest instruction */
	bool help, running;
	bool still;           /* a picture for a slide: no keys, not "paused"; of a pane alone no state string either */
	bool endless;         /* a page: no key quits */
	char message[160];    /* answer of the last command */
	const char *prompt;   /* command line being typed, or NULL */
	int speed;            /* steps a second; 0: as fast as possible */
	int mouse_x, mouse_y; /* units; -1: outside */
	int64_t mark;         /* cycle where a drag began; -1 */
	const uint64_t *bookmark; /* positions, ascending */
	unsigned nbookmarks;
	uint64_t thread; /* selected thread of the map: its number among the lanes of all warps + 1; 0: none */
};

struct code_row {
	uint32_t pc, length;
	char *text;
	const char *label;
	int line;
	int64_t target; /* of a jump; -1 */
	struct wb_pc cost;
};

/* A source line, with the costs of its instructions. */
struct source_row {
	const char *text; /* n bytes of the launch's source */
	int n, first_insn; /* length of `text`; index of the line's first instruction, -1: none */
	unsigned instructions;
	uint64_t issues, threads, lost, waited, heat;
};

/* One watch: its values in the lanes now and before the latest issue. */
struct watched {
	struct watch_row row;
	bool valid, one; /* one: a single value, now[0], for the whole warp */
	bool mask;       /* the value's bits stand for lanes */
	unsigned bits;   /* width of a value: 32 or 64 */
	char format;     /* 'x', 'd', 'u' or 'f' */
	uint64_t lanes;  /* mask of the lanes with a value */
	char note[160];  /* type and place of a variable, or why there is no value; "" for other rows */
	uint64_t now[LANES], before[LANES];
};

/* The timeline's columns, gathered from the record once for all pictures of the same part. */
struct gathered;
struct map;
struct gathered *gathered_new(void); /* NULL: the host has no memory */
void gathered_free(struct gathered *t);

/* Names and traits of the machine. */
struct model_terms {
	unsigned simds; /* SIMDs of a multiprocessor */
	const char *mask_register; /* NULL: the machine steers lanes by a stack */
	enum wb_stage stage;       /* work of a thread */
	bool blocks;               /* warps have numbers within blocks */
};

/* The multiprocessor in the picture. */
struct model_mp {
	uint32_t number;
	struct wb_warp warp[SLOTS];
	bool present[SLOTS];
	unsigned nslots, npresent;
	uint64_t first_cycle, last_cycle; /* of the recorded issues */
	bool began;                       /* the multiprocessor has issued */
	uint64_t cycle;                   /* cycle of the latest issue */
};

/* The instructions, and the source's lines, with their costs. */
struct model_listing {
	unsigned ncode;
	struct code_row *code;
	bool compiled; /* instructions come from a compiler, many from a line */
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
	struct wb_where where;
	struct model_mp mp;
	const struct wb_warp *selected; /* NULL: no warp is resident */
	struct {
		struct wb_warp warp; /* warp of the latest action, before the action */
		bool known;
	} acted;
	const struct wb_report *report; /* report up to the position */
	const struct wb_report *costs;  /* report of the whole run once known, else up to the position */
	struct model_listing listing;
	struct {
		unsigned n;
		struct watched entry[WATCHES];
	} watch;
	/* The run to compare with, at the same cycle, or NULL; the other run has `second` set and points back here. */
	const struct model *against;
	bool second;
	struct model_shared shared;
	struct map *map; /* NULL: in a page */
};

void view_init(struct view *v, const char *title);
/* Set all that a state string has, but for the theme, as view_init does. */
void view_begin(struct view *v);
/* Give a pane the focus, and bring the pane to the front of a shared place. */
void view_focus(struct view *v, enum pane p);

/* Read the program once. False: the host has no memory. */
bool model_open(struct model *m, struct player *p);
/* Read the machine at its position. The player moves and comes back. */
enum wb_status model_read(struct model *m, const struct view *v, struct wb_diag *d);
void model_close(struct model *m);
/* Compare m, already read, with another run, which goes to m's cycle and is read there. */
enum wb_status model_compare(struct model *m, struct model *other, const struct view *v, struct wb_diag *d);
/* The position of the first issue at which the two runs differ; UINT64_MAX: no difference in the records. */
uint64_t model_parting(const struct model *m);
/* The row of a pc, or NULL. */
const struct code_row *model_code(const struct model *m, uint32_t pc);
/* The source line of the selected instruction, or of the selected warp's; 0: unknown. */
int model_line(const struct model *m, const struct view *v);
/* The label of a pc, or "". */
const char *model_label(const struct model *m, uint32_t pc);
/* The line of a compiler's source behind an instruction, "17: while (v != 1) {", without leading blanks; "": the
 * program is in assembly, or the line is unknown. */
const char *model_source_text(const struct model *m, int line, char *text, size_t size);
/* Whether lanes of the machine can be in a state, or (LANE_STATES) spend issues on rejoining: where a mask in a
 * register steers lanes, lanes neither break nor return nor pop. */
bool model_has_state(const struct model *m, enum lane_state s);
/* The present state of a lane of a warp. */
enum lane_state model_lane(const struct wb_warp *w, unsigned lane);

/* Draw everything. */
void frame_draw(struct canvas *c, const struct model *m, const struct view *v);
/* The size in pixels of the focused pane's whole content, alone in the window, at a scale. */
void frame_fit(const struct model *m, const struct view *v, int scale, int *w, int *h);
/* The object at a point, for the mouse: its value as text, and the selection of a click. */
struct hit {
	enum pane pane;
	int slot;      /* -1: none */
	int64_t pc;    /* -1: none */
	int64_t cycle; /* -1: none */
	int64_t map;   /* cycle for a click on the timeline's map; -1: none */
	int width;     /* units of the timeline's plot at a cycle */
	double per_unit;
	char text[200];
	const char *key; /* of keys.def: a press there does the same; NULL: none */
	uint64_t thread; /* number + 1 of a thread of the map; 0: none */
};
/* Whether the timeline of a picture shows the lanes of the selected warp. */
bool frame_opened(const struct canvas *c, const struct model *m, const struct view *v);
void frame_hit(const struct canvas *c, const struct model *m, const struct view *v, int x, int y, struct hit *out);

const char *pane_name(enum pane p);
const char *pane_title(enum pane p);
const char *pane_shows(enum pane p);
char pane_key(enum pane p);
/* The pane with a name; PANES: none. */
enum pane pane_find(const char *name);
const char *colour_by_name(enum colour_by by);

/* The position and the view as a line of text, "wb1:k=ifelse;c=128;w=3;pane=stack", from which state_parse gives the
 * same picture. */
void state_format(char *text, size_t size, const struct model *m, const struct view *v);
struct state_place {
	bool has_cycle, has_issue;
	uint64_t cycle, issue;
};
/* Parse a state text. False: d has the error. Unknown keys are an error, or typing mistakes would go unseen. */
bool state_parse(const char *text, struct view *v, struct state_place *place, struct wb_diag *d);

#endif
