/* The machine of a lab page: functions of the WebAssembly module. JavaScript writes texts and bytes into memory of
 * page_memory, hands over pointers and lengths, and reads what a function returns until the next call. All work is done
 * in slices (page_turn), so that the caller stays responsive.
 *
 * A program is opened by page_file, page_option, page_argument and page_vertex in any number and order, then by
 * page_open. */
#ifndef WB_FRONTENDS_WEB_PAGE_H
#define WB_FRONTENDS_WEB_PAGE_H

#include <stddef.h>
#include <stdint.h>

#define PAGE_API(name) __attribute__((export_name(#name), visibility("default")))

/* n bytes for a text or file, freed by the function that takes the pointer. NULL: no memory. */
PAGE_API(page_memory) void *page_memory(size_t n);

/* Texts end in a 0. The first file is the program. */
PAGE_API(page_file) void page_file(char *name, void *bytes, size_t n);
PAGE_API(page_option) void page_option(char *name, char *value);
PAGE_API(page_argument) void page_argument(char *text);
/* A vertex in the form of wb_launch_vertex. */
PAGE_API(page_vertex) void page_vertex(char *text);
/* Open the program of the pieces above, which are forgotten; state: a state string, or NULL. keep: a program is open
 * and its view, breakpoints and cycle are kept. Returns enum wb_status; after a failure the program before stays open,
 * and page_error has the diagnostic. The survey of the run follows in page_turn. */
PAGE_API(page_open) int page_open(char *state, int keep);
/* The latest failure as JSON: status, file, line, column, text. */
PAGE_API(page_error) const char *page_error(void);
/* The open program as JSON: name, kernel and all kernels of the file, machine, panes, warnings with their places,
 * breakpoints by line. */
PAGE_API(page_program) const char *page_program(void);

/* A key by its name in keys.def, a line of commands, the mouse in pixels: 0 moved, 1 pressed, 2 released. */
PAGE_API(page_key) void page_key(char *name);
/* Steps a second of a run; 0: all that the machine can. */
PAGE_API(page_speed) void page_speed(int steps);
PAGE_API(page_command) void page_command(char *line);
PAGE_API(page_point) void page_point(int kind, int x, int y);
/* Rows up (negative) or down in the pane at a point in pixels. */
PAGE_API(page_wheel) void page_wheel(int x, int y, int rows);
/* The canvas: pixels, and pixels a unit. Returns 0 without memory. */
PAGE_API(page_size) int page_size(int width, int height, int scale);

/* Let time pass: steps of a run, and first, of a program just opened, the run that is recorded. Returns bits of enum
 * page_turn. */
enum page_turn { PAGE_DIRTY = 1, PAGE_RUNNING = 2, PAGE_OVER = 8, PAGE_PROMPT = 16 };
PAGE_API(page_turn) unsigned page_turn(double seconds);
/* Draw, and return the pixels as ImageData has them: red, green, blue, alpha. */
PAGE_API(page_draw) const uint8_t *page_draw(void);

/* The text of a pane, by name, or of all panes in turn (""), in columns of characters. */
PAGE_API(page_text) const char *page_text(char *pane, int columns);
/* State string of the picture, explanation of the latest issue, line of the selected warp's next instruction, answer of
 * the latest command, text under the mouse. */
PAGE_API(page_state) const char *page_state(void);
PAGE_API(page_sentence) const char *page_sentence(void);
PAGE_API(page_line) int page_line(void);
PAGE_API(page_message) const char *page_message(void);
/* Run the program from the beginning, at full speed, and return the document of `run --json`; where the survey has not
 * come to the end of the run, for 2^24 instructions at most. */
PAGE_API(page_report) const char *page_report(void);
/* The verdict about the program by a lab's whole text: the document of lab_judge (frontends/cli/lab.h). NULL: no
 * program is open, or page_error has the diagnostic of the lab. */
PAGE_API(page_verdict) const char *page_verdict(char *lab);

#endif
