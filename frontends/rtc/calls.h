/* Calls that the two interfaces have under two names: RTC(name) is a call's, RTC_TEXT(name) a result's text. The file
 * that includes this one has `language`, and its interface's own calls. */
#include "frontends/rtc/rtc.h"

#define NEEDS_PROGRAM(p) \
	do { \
		if (!rtc_find(p)) \
			return RTC_ERROR_INVALID_PROGRAM; \
	} while (0)

CALL const char *RTC(GetErrorString)(enum rtc_result e);
CALL enum rtc_result RTC(Version)(int *major, int *minor);
CALL enum rtc_result RTC(CreateProgram)(struct rtc_program **p, const char *source, const char *name, int n,
					const char *const *headers, const char *const *names);
CALL enum rtc_result RTC(DestroyProgram)(struct rtc_program **p);
CALL enum rtc_result RTC(CompileProgram)(struct rtc_program *p, int n, const char *const *options);
CALL enum rtc_result RTC(GetProgramLogSize)(struct rtc_program *p, size_t *bytes);
CALL enum rtc_result RTC(GetProgramLog)(struct rtc_program *p, char *log);
CALL enum rtc_result RTC(AddNameExpression)(struct rtc_program *p, const char *expression);
CALL enum rtc_result RTC(GetLoweredName)(struct rtc_program *p, const char *expression, const char **symbol);

const char *RTC(GetErrorString)(enum rtc_result e)
{
	static const char *const names[] = {
#define RTC_ERROR(name, number) [number] = RTC_TEXT(name),
#include "frontends/rtc/results.def"
	};

	return (size_t)e < sizeof names / sizeof *names ? names[e] : RTC_TEXT(ERROR unknown);
}

enum rtc_result RTC(Version)(int *major, int *minor)
{
	if (!major || !minor)
		return RTC_ERROR_INVALID_INPUT;
	*major = RTC_MAJOR;
	*minor = RTC_MINOR;
	return RTC_SUCCESS;
}

enum rtc_result RTC(CreateProgram)(struct rtc_program **p, const char *source, const char *name, int n,
				   const char *const *headers, const char *const *names)
{
	return rtc_create(p, source, name, n, headers, names);
}

enum rtc_result RTC(DestroyProgram)(struct rtc_program **p) { return rtc_destroy(p); }

enum rtc_result RTC(CompileProgram)(struct rtc_program *p, int n, const char *const *options)
{
	NEEDS_PROGRAM(p);
	return rtc_compile(p, &language, n, options);
}

enum rtc_result RTC(GetProgramLogSize)(struct rtc_program *p, size_t *bytes)
{
	NEEDS_PROGRAM(p);
	return rtc_log_size(p, bytes);
}

enum rtc_result RTC(GetProgramLog)(struct rtc_program *p, char *log)
{
	NEEDS_PROGRAM(p);
	return rtc_log(p, log);
}

enum rtc_result RTC(AddNameExpression)(struct rtc_program *p, const char *expression)
{
	NEEDS_PROGRAM(p);
	return rtc_add_name(p, expression);
}

enum rtc_result RTC(GetLoweredName)(struct rtc_program *p, const char *expression, const char **symbol)
{
	NEEDS_PROGRAM(p);
	return rtc_symbol(p, expression, symbol);
}
