/* Text of bytes from files: names, labels, types. Whatever the bytes are, the text is valid UTF-8 without control
 * characters, so that terminals, JSON, SVG and traces can have it as it is. */
#ifndef WB_CORE_BASE_TEXT_H
#define WB_CORE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* The n bytes as text of at most `size` bytes with the NUL: each byte of a control character (C0, DEL, C1, NUL), of a
 * direction or line mark (U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069), of U+FFFE and U+FFFF, and each byte that
 * is no UTF-8 becomes \xNN. Control characters in `kept` stay; with LF among them, the CR before an LF is dropped. No
 * character and no \xNN is cut. A clean text stays as it is. Returns the length of the whole text, like snprintf. */
size_t text_clean(const char *bytes, size_t n, const char *kept, char *out, size_t size);
/* A name or a message, and lines with their LFs and tabs, in an arena; NULL: the host has no memory. */
char *arena_text(struct arena *a, const char *bytes, size_t n);
char *arena_lines(struct arena *a, const char *bytes, size_t n);

/* Does a line of the n bytes begin, behind blanks, with '.' and one of the words, in any case, and has nothing or a
 * character of `ends` behind? NULL ends the words. */
bool text_has_directive(const char *text, size_t n, const char *const *words, const char *ends);

#endif
