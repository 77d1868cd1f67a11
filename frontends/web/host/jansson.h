/* JSON for hosts without Jansson: the part of Jansson's interface in use here, with the same meaning
 * (https://jansson.readthedocs.io). Documents are trees of values with counts of references; members keep the order of
 * their setting. */
#ifndef WB_WEB_JANSSON_H
#define WB_WEB_JANSSON_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef long long json_int_t;
#define JSON_INTEGER_FORMAT "lld"

enum json_type {
	JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_INTEGER, JSON_REAL, JSON_TRUE, JSON_FALSE, JSON_NULL
};

typedef struct json {
	enum json_type type;
	size_t references;
	size_t n;               /* bytes of a string; elements of an array or object */
	char *text;             /* bytes of a string, with a 0 behind */
	json_int_t integer;
	double real;
	struct json **element;
	char **key;             /* of an object: names of its elements */
} json_t;

typedef struct {
	int line, column;       /* 1-based, of the first byte that does not fit */
	char text[160];
} json_error_t;

enum {
	JSON_PRESERVE_ORDER = 0, JSON_REJECT_DUPLICATES = 1 << 5, JSON_ENSURE_ASCII = 1 << 6, JSON_ENCODE_ANY = 1 << 9
};
#define JSON_INDENT(n) ((n) & 31)
#define JSON_REAL_PRECISION(n) (((size_t)(n) & 31) << 11)

json_t *json_object(void);
json_t *json_array(void);
json_t *json_string(const char *text);
json_t *json_stringn(const char *bytes, size_t n);
json_t *json_integer(json_int_t value);
json_t *json_real(double value);
json_t *json_null(void);
json_t *json_vsprintf(const char *fmt, va_list ap);
/* The formats of objects "{s:o, s:s, s:i, s:I, s:b, s:f}". */
json_t *json_pack(const char *fmt, ...);
void json_decref(json_t *v);

/* `v` may be NULL or of another type, as in Jansson. */
json_t *json_object_get(const json_t *v, const char *key);
int json_object_set_new(json_t *object, const char *key, json_t *value);
/* Set all members of `other`, and drop `other`. */
int json_object_update_new(json_t *object, json_t *other);
size_t json_array_size(const json_t *v);
json_t *json_array_get(const json_t *v, size_t index);
int json_array_append_new(json_t *array, json_t *value);
const char *json_string_value(const json_t *v);
json_int_t json_integer_value(const json_t *v);
double json_number_value(const json_t *v);

#define json_is_object(v) ((v) && (v)->type == JSON_OBJECT)
#define json_is_array(v) ((v) && (v)->type == JSON_ARRAY)
#define json_is_string(v) ((v) && (v)->type == JSON_STRING)
#define json_is_integer(v) ((v) && (v)->type == JSON_INTEGER)
#define json_is_number(v) ((v) && ((v)->type == JSON_INTEGER || (v)->type == JSON_REAL))
#define json_is_true(v) ((v) && (v)->type == JSON_TRUE)
#define json_is_false(v) ((v) && (v)->type == JSON_FALSE)
#define json_is_boolean(v) ((v) && ((v)->type == JSON_TRUE || (v)->type == JSON_FALSE))
#define json_is_null(v) ((v) && (v)->type == JSON_NULL)

#define json_object_foreach(object, key_, value) \
	for (size_t i_##value = 0; json_is_object(object) && i_##value < (object)->n && \
	     ((key_) = (object)->key[i_##value], (value) = (object)->element[i_##value], true); i_##value++)
#define json_array_foreach(array, index, value) \
	for ((index) = 0; (index) < json_array_size(array) && ((value) = json_array_get(array, index)); (index)++)

/* NULL: a text that is no document, and *e says where. */
json_t *json_loadb(const char *bytes, size_t n, size_t flags, json_error_t *e);
/* The document as text; the caller frees the text. NULL: the host has no memory. */
char *json_dumps(const json_t *v, size_t flags);

#endif
