#include "proto/buffer.h"

#include <string.h>

#include "tests/proto/proto_test.h"
#include "tests/support/failing_alloc.h"

static void test_append_and_consume(void **state)
{
  (void)state;
  struct buffer buffer;
  buffer_init(&buffer);
  for (int i = 0; i < 10000; i++)
    buffer_append(&buffer, &(char){(char)i}, 1);
  assert_int_equal(buffer.length, 10000);
  buffer_consume(&buffer, 9999);
  assert_int_equal(buffer.length, 1);
  assert_int_equal(buffer.data[0], (char)9999);
  buffer_consume(&buffer, 1);
  assert_int_equal(buffer.length, 0);
  buffer_append(&buffer, NULL, 0);
  assert_false(buffer.failed);
  buffer_deinit(&buffer);
}

static void test_error_sticks_until_cleared(void **state)
{
  (void)state;
  struct buffer buffer;
  buffer_init(&buffer);
  failing_alloc_arm(0);
  buffer_append(&buffer, "abc", 3);
  assert_true(failing_alloc_disarm());
  buffer_append(&buffer, "def", 3);
  assert_true(buffer.failed);
  assert_int_equal(buffer.length, 0);
  assert_null(buffer_reserve(&buffer, 1));
  buffer_clear(&buffer);
  buffer_append(&buffer, "def", 3);
  assert_false(buffer.failed);
  assert_memory_equal(buffer.data, "def", 3);
  buffer_deinit(&buffer);
}

static void test_absurd_length_fails(void **state)
{
  (void)state;
  struct buffer buffer;
  buffer_init(&buffer);
  buffer_append(&buffer, "abc", 3);
  assert_null(buffer_reserve(&buffer, SIZE_MAX));
  assert_true(buffer.failed);
  assert_memory_equal(buffer.data, "abc", 3);
  buffer_deinit(&buffer);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_append_and_consume),
      cmocka_unit_test(test_error_sticks_until_cleared),
      cmocka_unit_test(test_absurd_length_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
