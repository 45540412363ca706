#include "tests/daemon/store/pair.h"

void start_both(struct test_folder *folder, struct side *one, struct side *two, struct id *id)
{
  start_one(folder, one, id);
  side_init(two, folder);
  side_settle(two);
}

void stop_both(struct test_folder *folder, struct side *one, struct side *two)
{
  side_deinit(two);
  stop_one(folder, one);
}
