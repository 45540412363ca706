#include "tests/daemon/store/pair.h"

void start_both(struct test_folder *folder, struct side *one, struct side *two, struct id *id)
{
  test_folder_init(folder);
  side_init(one, folder);
  side_keep(one, 1, id);
  side_settle(one);
  side_init(two, folder);
  side_settle(two);
}

void stop_both(struct test_folder *folder, struct side *one, struct side *two)
{
  side_deinit(two);
  side_deinit(one);
  test_folder_deinit(folder);
}
