/*
 * The engine's files are compiled once for each instruction set, from the same source: wide rows of
 * bits are compiler vectors, so the compiler picks the instructions. This header gives what crosses
 * between those files a name of its own in each compilation. engine.c chooses one at run time.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_LEVEL_H
#define CATMOUSE_SOLVER_ENGINE_LEVEL_H

#ifndef ENGINE_LEVEL
#error "compile with -DENGINE_LEVEL=plain, avx2 or avx512"
#endif

#define LEVEL_PASTE(name, level)  name##_##level
#define LEVEL_EXPAND(name, level) LEVEL_PASTE(name, level)
#define LEVEL(name)               LEVEL_EXPAND(name, ENGINE_LEVEL)

#define attractor_decide_over     LEVEL(attractor_decide_over)
#define attractor_deinit          LEVEL(attractor_deinit)
#define attractor_drop_bits       LEVEL(attractor_drop_bits)
#define attractor_init            LEVEL(attractor_init)
#define cells_transpose           LEVEL(cells_transpose)
#define choose_ways               LEVEL(choose_ways)
#define chunk_pool_deinit         LEVEL(chunk_pool_deinit)
#define exists_pull_column        LEVEL(exists_pull_column)
#define exists_push_column        LEVEL(exists_push_column)
#define exists_settle_column      LEVEL(exists_settle_column)
#define forall_rows_block         LEVEL(forall_rows_block)
#define forall_tiles_block        LEVEL(forall_tiles_block)
#define forall_tiles_worker_bytes LEVEL(forall_tiles_worker_bytes)
#define forall_union_block        LEVEL(forall_union_block)
#define large_solve               LEVEL(large_solve)
#define layers_run                LEVEL(layers_run)
#define lists_deinit              LEVEL(lists_deinit)
#define lists_init                LEVEL(lists_init)
#define logs_write                LEVEL(logs_write)
#define move_sets_deinit          LEVEL(move_sets_deinit)
#define move_sets_init            LEVEL(move_sets_init)
#define order_deinit              LEVEL(order_deinit)
#define order_init                LEVEL(order_init)
#define shift_count               LEVEL(shift_count)
#define shift_plan_deinit         LEVEL(shift_plan_deinit)
#define shift_plan_init           LEVEL(shift_plan_init)
#define small_solve               LEVEL(small_solve)
#define small_verdict             LEVEL(small_verdict)
#define table_write               LEVEL(table_write)
#define tile_log_grow             LEVEL(tile_log_grow)
#define tile_transpose            LEVEL(tile_transpose)
#define verdict_register          LEVEL(verdict_register)

#endif
