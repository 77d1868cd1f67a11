/* Arguments by value, as text: numbers, vectors and structures, as C lays them out in memory. */
#ifndef WB_DEVICE_INPUTS_VALUES_H
#define WB_DEVICE_INPUTS_VALUES_H

#include <stdbool.h>
#include <stdint.h>

struct diag;

enum { VALUE_BYTES = 4096 };    /* as many as a launch has bytes of parameters */

struct value {
	uint8_t bytes[VALUE_BYTES];
	unsigned size, unit;    /* bytes, alignment */
};

/* Types of values, for messages. */
#define VALUE_TYPES "u8 s8 u16 s16 u32 s32 u64 s64 f32 f64, types of OpenCL C such as int and float4, struct"

/* Is the word a type: "u32", "float4", "struct"? */
bool value_type(const char *word);
/* Fill the value of a type from its text: "5"; "1,2,3,4" of float4; "float4:1,2,3,4,int:7" of a struct, each member
 * with its type. Diagnostics are DIAG_USAGE. */
bool value_parse(const char *type, const char *text, struct value *v, struct diag *d);

#endif
