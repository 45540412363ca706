/* Numbers, sizes and times for people: "8G", "10min" in, "4.3 GB", "9.2 s" out. Any thread. */
#ifndef CATMOUSE_PROTO_UNITS_H
#define CATMOUSE_PROTO_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Each reads `text` up to `max`, or returns false and leaves the number alone: digits alone; a size
 * in bytes, such as "4096", "500M" or "8GiB", in powers of 1024; a time in ms, such as "1500",
 * "500ms", "2s", "10min" or "1h".
 */
bool number_read(const char *text, uint64_t max, uint64_t *number);
bool bytes_read(const char *text, uint64_t max, uint64_t *bytes);
bool ms_read(const char *text, uint64_t max, uint64_t *time_ms);

/* What bytes_read() and ms_read() understand, for the sentence that refuses something else. */
#define BYTES_FORM "a size such as 4096, 500M or 8G"
#define MS_FORM    "a time such as 500ms, 2s or 10min"

/*
 * In `words`, which is returned: a rounded number of bytes ("4.3 GB"), a time ("340 ms", "9.2 s",
 * "12 minutes"), and one that was measured ("11 µs", "1.03 s", "12 minutes").
 */
enum { UNIT_WORDS = 32 };
const char *bytes_words(uint64_t bytes, char words[static UNIT_WORDS]);
const char *time_words(uint64_t time_ms, char words[static UNIT_WORDS]);
const char *us_words(uint64_t time_us, char words[static UNIT_WORDS]);

/* The same exactly, as bytes_read() and ms_read() understand it: "4G", "10min". */
const char *bytes_option(uint64_t bytes, char words[static UNIT_WORDS]);
const char *ms_option(uint64_t time_ms, char words[static UNIT_WORDS]);

#endif
