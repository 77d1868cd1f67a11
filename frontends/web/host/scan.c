/* sscanf for the few conversions of the product: spaces, characters, %i %u %x %s %c %n and sets, with widths and ll.
 * The C library's reads floats and wide characters, too, and is five times as large. */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool in_set(const char *set, const char *end, char c)
{
	for (; set < end; set++) {
		bool range = set + 2 < end && set[1] == '-';
		if (range ? c >= set[0] && c <= set[2] : c == *set)
			return true;
		set += range ? 2 : 0;
	}
	return false;
}

/* Copy characters of a set, at most n, to `to` with a 0. Returns the number. */
static size_t copy(char *to, const char *from, size_t n, const char *set, const char *end)
{
	size_t i = 0;

	for (; i < n && from[i] && (set ? in_set(set, end, from[i]) : !isspace((unsigned char)from[i])); i++)
		to[i] = from[i];
	to[i] = '\0';
	return i;
}

/* A number of at most n characters. Returns their number, 0 for none. */
static size_t number(unsigned long long *to, const char *from, size_t n, int base)
{
	char digits[24], *end;
	size_t all = strlen(from);

	n = n > all ? all : n;
	n = n < sizeof digits ? n : sizeof digits - 1;
	memcpy(digits, from, n);
	digits[n] = '\0';
	*to = strtoull(digits, &end, base);
	return (size_t)(end - digits);
}

int sscanf(const char *text, const char *format, ...)
{
	const char *p = text;
	int read = 0;
	va_list args;

	va_start(args, format);
	for (; *format; format++) {
		if (isspace((unsigned char)*format)) {
			p += strspn(p, " \t\n\v\f\r");
			continue;
		}
		if (*format != '%') {
			if (*p++ != *format)
				break;
			continue;
		}
		char *after;
		size_t width = strtoul(format + 1, &after, 10), n;
		format = after;
		width = width ? width : (size_t)-1;
		if (*format == 'n') {
			*va_arg(args, int *) = (int)(p - text);
			continue;
		}
		if (*format == '[') {
			const char *end = strchr(format, ']');
			n = copy(va_arg(args, char *), p, width, format + 1, end);
			format = end;
		} else if (*format == 'c') {
			n = *p != '\0';
			if (n)
				*va_arg(args, char *) = *p;
		} else {
			unsigned long long value = 0;
			size_t longs = strspn(format, "l");

			format += longs;
			p += strspn(p, " \t\n\v\f\r");
			if (*format == 's')
				n = copy(va_arg(args, char *), p, width, NULL, NULL);
			else
				n = number(&value, p, width, *format == 'x' ? 16 : *format == 'i' ? 0 : 10);
			if (n && *format != 's' && longs == 2)
				*va_arg(args, unsigned long long *) = value;
			else if (n && *format != 's')
				*va_arg(args, unsigned *) = (unsigned)value;
		}
		if (!n)
			break;
		p += n;
		read++;
	}
	va_end(args);
	return read;
}
