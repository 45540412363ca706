#include "proto/units.h"

#include <string.h>

#include "tests/proto/proto_test.h"

struct reading {
  const char *text;
  uint64_t amount;
};

static void assert_read(bool (*read)(const char *text, uint64_t max, uint64_t *amount),
                        const struct reading *readings, const char *const *refused)
{
  uint64_t amount;
  for (; readings->text; readings++) {
    if (!read(readings->text, UINT64_MAX, &amount) || amount != readings->amount)
      fail_msg("%s is not %llu", readings->text, (unsigned long long)readings->amount);
    if (amount > 0 && read(readings->text, amount - 1, &amount))
      fail_msg("%s is taken, though less is allowed", readings->text);
  }
  for (amount = 7; *refused; refused++)
    if (read(*refused, UINT64_MAX, &amount) || amount != 7)
      fail_msg("%s is taken", *refused);
}

static void test_numbers(void **state)
{
  (void)state;
  const struct reading readings[] = {
      {"0", 0}, {"007", 7}, {"18446744073709551615", UINT64_MAX}, {0}};
  const char *const refused[] = {
      "", "x", "-1", "+1", " 1", "1 ", "1k", "1e3", "1.5", "18446744073709551616", NULL};
  assert_read(number_read, readings, refused);
}

static void test_sizes(void **state)
{
  (void)state;
  const struct reading readings[] = {{"0", 0},
                                     {"4096", 4096},
                                     {"64k", 64 << 10},
                                     {"64kB", 64 << 10},
                                     {"500M", 500 << 20},
                                     {"8G", 8ull << 30},
                                     {"8gib", 8ull << 30},
                                     {"16777215T", 16777215ull << 40},
                                     {"1TiB", 1ull << 40},
                                     {0}};
  const char *const refused[] = {"", "G", "-1G", "1.5G", "5 G", "5x", "2s", "16777216T", NULL};
  assert_read(bytes_read, readings, refused);
}

static void test_times(void **state)
{
  (void)state;
  const struct reading readings[] = {
      {"1500", 1500},  {"250ms", 250},    {"2s", 2000},    {"10min", 600000},
      {"10m", 600000}, {"10MIN", 600000}, {"1h", 3600000}, {0}};
  const char *const refused[] = {"", "s", "-1s", "1.5s", "5 s", "5G", "5124095576031h", NULL};
  assert_read(ms_read, readings, refused);
}

static void test_words(void **state)
{
  (void)state;
  char words[UNIT_WORDS];
  assert_string_equal(bytes_words(0, words), "0 bytes");
  assert_string_equal(bytes_words(999, words), "999 bytes");
  assert_string_equal(bytes_words(1000, words), "1.0 kB");
  assert_string_equal(bytes_words(12345678, words), "12.3 MB");
  assert_string_equal(bytes_words(999949, words), "999.9 kB");
  assert_string_equal(bytes_words(999950, words), "1.0 MB");
  assert_string_equal(bytes_words(UINT64_MAX, words), "18.4 EB");
  assert_string_equal(time_words(0, words), "0 ms");
  assert_string_equal(time_words(999, words), "999 ms");
  assert_string_equal(time_words(9290, words), "9.2 s");
  assert_string_equal(time_words(60000, words), "1 minute");
  assert_string_equal(time_words(3599999, words), "59 minutes");
  assert_string_equal(time_words(7200000, words), "2 hours");
  assert_string_equal(time_words(UINT64_MAX, words), "213503982334 days");
  assert_string_equal(us_words(0, words), "0 µs");
  assert_string_equal(us_words(999, words), "999 µs");
  assert_string_equal(us_words(1000, words), "1.00 ms");
  assert_string_equal(us_words(12345, words), "12.3 ms");
  assert_string_equal(us_words(999499, words), "999 ms");
  assert_string_equal(us_words(1030485, words), "1.03 s");
  assert_string_equal(us_words(59940000, words), "59.9 s");
  assert_string_equal(us_words(720000000, words), "12 minutes");
}

/* What is written can be read again, and is the same. */
static void test_options(void **state)
{
  (void)state;
  const struct reading sizes[] = {
      {"0", 0}, {"1023", 1023}, {"64K", 64 << 10}, {"1025K", 1025 << 10}, {"4G", 4ull << 30}, {0}};
  const struct reading times[] = {{"0", 0},
                                  {"250ms", 250},
                                  {"1500ms", 1500},
                                  {"90s", 90000},
                                  {"10min", 600000},
                                  {"2h", 7200000},
                                  {0}};
  char words[UNIT_WORDS];
  uint64_t amount;
  for (const struct reading *size = sizes; size->text; size++) {
    assert_string_equal(bytes_option(size->amount, words), size->text);
    assert_true(bytes_read(words, UINT64_MAX, &amount));
    assert_int_equal(amount, size->amount);
  }
  for (const struct reading *time = times; time->text; time++) {
    assert_string_equal(ms_option(time->amount, words), time->text);
    assert_true(ms_read(words, UINT64_MAX, &amount));
    assert_int_equal(amount, time->amount);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers), cmocka_unit_test(test_sizes),   cmocka_unit_test(test_times),
      cmocka_unit_test(test_words),   cmocka_unit_test(test_options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
