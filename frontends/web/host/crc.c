/* See zlib.h: CRC-32 of ISO 3309, bit by bit. */
#include <zlib.h>

#include <stddef.h>
#include <stdint.h>

unsigned long crc32(unsigned long crc, const unsigned char *bytes, uInt n)
{
	enum { BITS = 8 };
	const uint32_t polynomial = 0xedb88320;
	uint32_t c = ~(uint32_t)crc;

	if (!bytes)
		return 0;
	for (uInt i = 0; i < n; i++) {
		c ^= bytes[i];
		for (int b = 0; b < BITS; b++)
			c = c >> 1 ^ (c & 1 ? polynomial : 0);
	}
	return (uint32_t)~c;
}
