/* Text of bytes from files: the only definition of characters that may be shown. */
#include "core/base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/arena.h"

static bool hidden(uint32_t code)
{
	return code < ' ' || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code >> 11 == 0x1b ||
	       code == 0xfffe || code == 0xffff || code > 0x10ffff;
}

/* Bytes of the character at p[0 … n); 0: a byte that must be escaped. */
static size_t visible(const unsigned char *p, size_t n)
{
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
	size_t more = *p < 0x80 ? 0 : *p >> 5 == 6 ? 1 : *p >> 4 == 14 ? 2 : *p >> 3 == 30 ? 3 : 4;
	uint32_t code;

	if (more == 4 || more >= n)
		return 0;
	code = more ? *p & (0x3fu >> more) : *p;
	for (size_t i = 1; i <= more; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		code = code << 6 | (p[i] & 0x3fu);
	}
	return code < least[more] || hidden(code) ? 0 : more + 1;
}

/* Bytes of the line end at p[0 … n) that has a CR before the LF, without the LF. */
static size_t carriage_return(const char *p, size_t n)
{
	return n > 1 && p[0] == '\r' && p[1] == '\n';
}

/* Bytes at p[0 … n) that show as they are. */
static size_t plain(const char *p, size_t n)
{
	size_t i = 0;

	while (i < n && p[i] >= ' ' && p[i] <= '~')
		i++;
	return i;
}

size_t text_clean(const char *bytes, size_t n, const char *kept, char *out, size_t size)
{
	bool lines = strchr(kept, '\n');
	size_t length = 0, end = 0;
	char escape[8];

	for (size_t i = 0, part; i < n; i += part ? part : 1) {
		part = plain(bytes + i, n - i);
		if (part) {
			size_t fit = end == length && length + 1 < size ? size - 1 - length : 0;
			fit = fit < part ? fit : part;
			if (fit)
				memcpy(out + length, bytes + i, fit);
			end += fit;
			length += part;
			continue;
		}
		i += lines ? carriage_return(bytes + i, n - i) : 0;
		part = bytes[i] && strchr(kept, bytes[i]) ? 1 : visible((const unsigned char *)bytes + i, n - i);
		if (!part)
			snprintf(escape, sizeof escape, "\\x%02x", (unsigned char)bytes[i]);
		size_t bytes_out = part ? part : 4;
		if (end == length && length + bytes_out < size) {
			memcpy(out + length, part ? bytes + i : escape, bytes_out);
			end += bytes_out;
		}
		length += bytes_out;
	}
	if (size)
		out[end] = '\0';
	return length;
}

static char *copy_clean(struct arena *a, const char *bytes, size_t n, const char *kept)
{
	size_t size = text_clean(bytes, n, kept, NULL, 0) + 1;
	char *text = arena_alloc(a, size, 1);

	if (text)
		text_clean(bytes, n, kept, text, size);
	return text;
}

char *arena_text(struct arena *a, const char *bytes, size_t n)
{
	return copy_clean(a, bytes, n, "");
}

char *arena_lines(struct arena *a, const char *bytes, size_t n)
{
	return copy_clean(a, bytes, n, "\n\t");
}

static bool begins_with_word(const char *text, const char *end, const char *const *words, const char *ends)
{
	for (; *words; words++) {
		size_t n = strlen(*words), left = (size_t)(end - text);
		if (left >= n && !strncasecmp(text, *words, n) && (left == n || (text[n] && strchr(ends, text[n]))))
			return true;
	}
	return false;
}

bool text_has_directive(const char *text, size_t n, const char *const *words, const char *ends)
{
	const char *end = text + n;

	for (const char *line = text; line < end; line++) {
		while (line < end && (*line == ' ' || *line == '\t'))
			line++;
		if (line < end && *line == '.' && begins_with_word(line + 1, end, words, ends))
			return true;
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		line = stop ? stop : end;
	}
	return false;
}
