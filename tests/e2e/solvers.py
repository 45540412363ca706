"""Solvers to be judged, as people hand them in: right ones, and each with one mistake, in Python."""

GRAPH = '''
MISTAKE = {mistake!r}

class Solution:
    def catMouseGame(self, graph):
        if MISTAKE == "constant":
            return 0
        if MISTAKE == "repeats":
            self.steps = 0
            return self.search(graph, 1, 2, 0, set())
        nodes = range(len(graph))
        moves = [[list(graph[v]) for v in nodes], [[u for u in graph[v] if u or MISTAKE == "hole"] for v in nodes]]
        for v in nodes:
            if MISTAKE == "mouse stays":
                moves[0][v].append(v)
            if MISTAKE == "cat stays" and v:
                moves[1][v].append(v)
        over = {{}}
        for a in nodes:
            for turn in (0, 1):
                over[a, a, turn] = 2
                for c in nodes:
                    if c != 0 or (MISTAKE == "hole" and a != 0):
                        over.setdefault((0, c, turn), 1) if c else None
        value = solve(moves, over, len(graph))
        outcome, plies = value.get((1, 2, int(MISTAKE == "cat first")), (0, 0))
        bound = MISTAKE * len(graph) if isinstance(MISTAKE, int) else float("inf")
        return outcome if plies <= bound else 0

    def search(self, graph, m, c, turn, path):
        self.steps += 1
        if self.steps > 200000:
            raise OverflowError("it would take for ever")
        if m == 0:
            return 1
        if m == c:
            return 2
        if (m, c) in path:
            return 0
        path = path | {{(m, c)}}
        found = [self.search(graph, u, c, 1, path) for u in graph[m]] if turn == 0 else \\
            [self.search(graph, m, u, 0, path) for u in graph[c] if u]
        mine, other = (1, 2) if turn == 0 else (2, 1)
        return mine if mine in found else 0 if 0 in found else other
'''

GRID = '''
MISTAKE = {mistake!r}

class Solution:
    def canMouseWin(self, grid, catJump, mouseJump):
        if MISTAKE == "constant":
            return True
        rows, cols = len(grid), len(grid[0])
        if MISTAKE == "jumps swapped":
            catJump, mouseJump = mouseJump, catJump
        place = {{grid[r][c]: r * cols + c for r in range(rows) for c in range(cols)}}
        moves = [[self.moves(grid, v // cols, v % cols, jump) for v in range(rows * cols)] for jump in (mouseJump, catJump)]
        over = {{}}
        for a in range(rows * cols):
            for turn in (0, 1):
                if MISTAKE != "food":
                    over[a, place["F"], turn] = 2
                over[place["F"], a, turn] = 1
        for a in range(rows * cols):
            over[a, a, 0] = over[a, a, 1] = 2
        value = solve(moves, over, rows * cols)
        outcome, plies = value.get((place["M"], place["C"], int(MISTAKE == "cat first")), (2, 0))
        bound = MISTAKE * rows * cols if isinstance(MISTAKE, int) else 1000
        return outcome == 1 and plies <= bound

    def moves(self, grid, row, col, jump):
        if grid[row][col] == "#":
            return []
        found = [] if MISTAKE == "nobody stays" else [(row, col)]
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            for far in range(1, jump + 1):
                r, c = row + far * down, col + far * right
                if not (0 <= r < len(grid) and 0 <= c < len(grid[0])):
                    break
                if grid[r][c] == "#":
                    if MISTAKE == "over walls":
                        continue
                    break
                found.append((r, c))
        return [r * len(grid[0]) + c for r, c in found]
'''

SOLVE = '''
def solve(moves, over, nodes):
    """Outcome (1 mouse, 2 cat) and plies of every state that is decided, by a queue."""
    before = [[[] for _ in range(nodes)] for _ in range(2)]
    for player in (0, 1):
        for v in range(nodes):
            for u in moves[player][v]:
                before[player][u].append(v)
    value, left = {state: (outcome, 0) for state, outcome in over.items()}, {}
    queue = deque(value)
    while queue:
        m, c, turn = state = queue.popleft()
        outcome, plies = value[state]
        mover = 1 - turn
        for p in before[mover][m if mover == 0 else c]:
            earlier = (p, c, 0) if mover == 0 else (m, p, 1)
            if earlier in value:
                continue
            if outcome == mover + 1:
                value[earlier] = outcome, plies + 1
                queue.append(earlier)
                continue
            left[earlier] = left.get(earlier, len(moves[mover][p])) - 1
            if left[earlier] == 0:
                value[earlier] = outcome, plies + 1
                queue.append(earlier)
    return value
'''


def graph_solver(mistake=None):
    return GRAPH.format(mistake=mistake) + SOLVE


def grid_solver(mistake=None):
    return GRID.format(mistake=mistake) + SOLVE
