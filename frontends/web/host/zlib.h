/* The part of zlib's interface in use on hosts without zlib, with the same meaning. */
#ifndef WB_WEB_ZLIB_H
#define WB_WEB_ZLIB_H

typedef unsigned int uInt;

unsigned long crc32(unsigned long crc, const unsigned char *bytes, uInt n);

#endif
