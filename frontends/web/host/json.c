/* Values of a JSON document: made, read, put together (jansson.h). */
#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *make(enum json_type type)
{
	json_t *v = calloc(1, sizeof *v);

	if (v) {
		v->type = type;
		v->references = 1;
	}
	return v;
}

json_t *json_object(void)
{
	return make(JSON_OBJECT);
}

json_t *json_array(void)
{
	return make(JSON_ARRAY);
}

json_t *json_null(void)
{
	return make(JSON_NULL);
}

json_t *json_stringn(const char *bytes, size_t n)
{
	json_t *v = make(JSON_STRING);

	if (v && !(v->text = malloc(n + 1))) {
		free(v);
		return NULL;
	}
	if (v) {
		memcpy(v->text, bytes, n);
		v->text[n] = '\0';
		v->n = n;
	}
	return v;
}

json_t *json_string(const char *text)
{
	return text ? json_stringn(text, strlen(text)) : NULL;
}

json_t *json_integer(json_int_t value)
{
	json_t *v = make(JSON_INTEGER);

	if (v)
		v->integer = value;
	return v;
}

json_t *json_real(double value)
{
	json_t *v = make(JSON_REAL);

	if (v)
		v->real = value;
	return v;
}

json_t *json_vsprintf(const char *fmt, va_list ap)
{
	char *text;
	json_t *v;

	if (vasprintf(&text, fmt, ap) < 0)
		return NULL;
	v = json_string(text);
	free(text);
	return v;
}

void json_decref(json_t *v)
{
	if (!v || --v->references)
		return;
	for (size_t i = 0; v->element && i < v->n; i++) {
		json_decref(v->element[i]);
		if (v->key)
			free(v->key[i]);
	}
	free(v->element);
	free(v->key);
	free(v->text);
	free(v);
}

/* ---- members and elements ---- */

/* Make space for one more element: arrays grow at powers of two. */
static bool grow(json_t *v)
{
	json_t **element = v->element;
	char **key = v->key;

	if (v->n & (v->n - 1) && v->n)
		return true;
	element = realloc(element, (v->n ? 2 * v->n : 1) * sizeof(json_t *));
	if (!element)
		return false;
	v->element = element;
	if (v->type != JSON_OBJECT)
		return true;
	key = realloc(key, (v->n ? 2 * v->n : 1) * sizeof(char *));
	if (key)
		v->key = key;
	return key;
}

json_t *json_object_get(const json_t *v, const char *key)
{
	for (size_t i = 0; json_is_object(v) && i < v->n; i++)
		if (!strcmp(v->key[i], key))
			return v->element[i];
	return NULL;
}

static int refuse(json_t *value)
{
	json_decref(value);
	return -1;
}

int json_object_set_new(json_t *object, const char *key, json_t *value)
{
	char *copy;

	if (!value || !json_is_object(object))
		return refuse(value);
	for (size_t i = 0; i < object->n; i++)
		if (!strcmp(object->key[i], key)) {
			json_decref(object->element[i]);
			object->element[i] = value;
			return 0;
		}
	copy = strdup(key);
	if (!copy || !grow(object)) {
		free(copy);
		return refuse(value);
	}
	object->key[object->n] = copy;
	object->element[object->n++] = value;
	return 0;
}

int json_object_update_new(json_t *object, json_t *other)
{
	int r = json_is_object(other) ? 0 : -1;

	for (size_t i = 0; r == 0 && i < other->n; i++) {
		other->element[i]->references++;
		r = json_object_set_new(object, other->key[i], other->element[i]);
	}
	json_decref(other);
	return r;
}

size_t json_array_size(const json_t *v)
{
	return json_is_array(v) ? v->n : 0;
}

json_t *json_array_get(const json_t *v, size_t index)
{
	return index < json_array_size(v) ? v->element[index] : NULL;
}

int json_array_append_new(json_t *array, json_t *value)
{
	if (!value || !json_is_array(array) || !grow(array))
		return refuse(value);
	array->element[array->n++] = value;
	return 0;
}

const char *json_string_value(const json_t *v)
{
	return json_is_string(v) ? v->text : NULL;
}

json_int_t json_integer_value(const json_t *v)
{
	return json_is_integer(v) ? v->integer : 0;
}

double json_number_value(const json_t *v)
{
	return json_is_integer(v) ? (double)v->integer : v && v->type == JSON_REAL ? v->real : 0;
}

/* ---- json_pack ---- */

static json_t *truth(int value)
{
	return make(value ? JSON_TRUE : JSON_FALSE);
}

static json_t *next_value(char kind, va_list *ap)
{
	switch (kind) {
	case 'o': return va_arg(*ap, json_t *);
	case 's': return json_string(va_arg(*ap, const char *));
	case 'i': return json_integer(va_arg(*ap, int));
	case 'I': return json_integer(va_arg(*ap, json_int_t));
	case 'b': return truth(va_arg(*ap, int));
	case 'f': return json_real(va_arg(*ap, double));
	}
	return NULL;
}

json_t *json_pack(const char *fmt, ...)
{
	json_t *o = json_object();
	bool ok = o;
	va_list ap;

	va_start(ap, fmt);
	for (const char *p = strchr(fmt, ':'); p; p = strchr(p + 1, ':')) {
		const char *key = va_arg(ap, const char *);
		ok = json_object_set_new(o, key, next_value(p[1], &ap)) == 0 && ok;
	}
	va_end(ap);
	if (ok)
		return o;
	json_decref(o);
	return NULL;
}
