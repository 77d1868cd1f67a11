/* Compilation of a source that a program hands over while it runs: CUDA's NVRTC and HIP's hipRTC have the same calls
 * under two names, and the same numbers of results. The library compiles as for `warpbeam run k.cu`: the object is PTX,
 * or a code object.
 *
 * Programs are kept in a list: a stale handle is an error, never followed. A program is compiled by one thread. */
#ifndef WB_FRONTENDS_RTC_RTC_H
#define WB_FRONTENDS_RTC_RTC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALL __attribute__((visibility("default")))

enum rtc_result {
#define RTC_ERROR(name, number) RTC_##name = number,
#include "frontends/rtc/results.def"
};

struct rtc_header { char *name, *text; };

/* An expression that names a kernel or a variable, and the symbol once the program is compiled. */
struct rtc_name { char *expression, *symbol; };

struct rtc_program {
	struct rtc_program *next;
	char *source, *name;
	struct rtc_header *headers;
	size_t nheaders;
	struct rtc_name *names;
	size_t nnames;
	char *log;              /* with a NUL; NULL: empty */
	size_t log_bytes;
	uint8_t *object;        /* NULL: not compiled */
	size_t object_bytes;
	bool tried;             /* compiled, with or without success */
	bool machine;           /* the options ask for a chip's machine code (sm_75), not for PTX (compute_75) */
};

/* What the two interfaces differ in. */
struct rtc_language {
	const char *format;      /* of the source */
	const char *chip;        /* without an option; NULL: that of WARPBEAM_CHIP, else gfx900 */
	const char *ending;      /* of the object's name among the files of the program */
	size_t nul;              /* bytes that callers get behind the object: the NUL of a text, or none */
	bool (*arch)(struct rtc_program *p, const char *name, const char **chip);  /* false: no such architecture */
	/* Find the symbols of p->names, by the variables with their addresses. */
	bool (*find_names)(struct rtc_program *p);
};

enum rtc_result rtc_create(struct rtc_program **out, const char *source, const char *name, int nheaders,
			   const char *const *headers, const char *const *header_names);
/* The program of a handle; NULL: none. */
struct rtc_program *rtc_find(const void *handle);
enum rtc_result rtc_destroy(struct rtc_program **handle);
enum rtc_result rtc_compile(struct rtc_program *p, const struct rtc_language *l, int noptions,
			    const char *const *options);
enum rtc_result rtc_add_name(struct rtc_program *p, const char *expression);
enum rtc_result rtc_symbol(struct rtc_program *p, const char *expression, const char **symbol);
/* The object for callers: size, then bytes. */
enum rtc_result rtc_object_size(const struct rtc_program *p, const struct rtc_language *l, size_t *bytes);
enum rtc_result rtc_object(const struct rtc_program *p, const struct rtc_language *l, char *to);
/* Texts with their NUL for callers: size, then bytes. */
enum rtc_result rtc_log_size(const struct rtc_program *p, size_t *bytes);
enum rtc_result rtc_log(const struct rtc_program *p, char *to);
void rtc_say(struct rtc_program *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Add bytes of a text to the log. */
void rtc_log_add(struct rtc_program *p, const char *text, size_t n);

/* Start of the names of variables that hold the addresses of name expressions. */
#define RTC_VARIABLE "warpbeam_name_"

/* options.c: the options into a configuration. False: one of them is wrong, as the log says. */
struct wb_config;
bool rtc_options(struct rtc_program *p, const struct rtc_language *l, struct wb_config *c, int n,
		 const char *const *options);

#endif
