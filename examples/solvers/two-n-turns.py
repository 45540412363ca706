class Solution:
    def catMouseGame(self, graph):
        n = len(graph)

        @lru_cache(None)
        def play(mouse, cat, turn):
            if mouse == 0:
                return 1
            if mouse == cat:
                return 2
            if turn == 2 * n:
                return 0
            if turn % 2 == 0:
                ends = {play(node, cat, turn + 1) for node in graph[mouse]}
                return 1 if 1 in ends else 0 if 0 in ends else 2
            ends = {play(mouse, node, turn + 1) for node in graph[cat] if node}
            return 2 if 2 in ends else 0 if 0 in ends else 1

        return play(1, 2, 0)
