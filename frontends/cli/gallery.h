/* The bundled examples, made from examples/ when the project is built. */
#ifndef WB_FRONTENDS_CLI_GALLERY_H
#define WB_FRONTENDS_CLI_GALLERY_H

struct example {
	const char *name, *file, *text; /* file: the name with its ending */
};
extern const struct example gallery[]; /* ended by a NULL name */
extern const struct example lab_gallery[];    /* examples/labs, likewise */
extern const struct example timing_programs[]; /* bench/timing, likewise */
extern const struct example page_files[];      /* style sheet and script of the verb report, likewise */

#endif
