// Runs LeetCode's C++: cases of the test-case box on standard input, an answer a line. JUDGE_SOLUTION is the file with
// the solution, JUDGE_GRAPH or JUDGE_GRID its game. What the solution prints itself goes to standard error.
#include <bits/stdc++.h>
#include <unistd.h>
using namespace std;

#include JUDGE_SOLUTION

static vector<vector<int>> judge_graph(const string &line)
{
  vector<vector<int>> lists;
  for (size_t at = line.find('[') + 1; (at = line.find('[', at)) != string::npos; at++) {
    lists.emplace_back();
    string numbers = line.substr(at + 1, line.find(']', at) - at - 1);
    replace(numbers.begin(), numbers.end(), ',', ' ');
    istringstream words(numbers);
    for (int number; words >> number;)
      lists.back().push_back(number);
  }
  return lists;
}

static vector<string> judge_grid(const string &line)
{
  vector<string> rows;
  for (size_t at = 0; (at = line.find('"', at)) != string::npos;) {
    size_t end = line.find('"', at + 1);
    rows.push_back(line.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return rows;
}

int main()
{
  int answers = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  dprintf(answers, "ready\n");
  for (string line; getline(cin, line);) {
#ifdef JUDGE_GRAPH
    vector<vector<int>> graph = judge_graph(line);
    dprintf(answers, "%d\n", Solution().catMouseGame(graph));
#else
    vector<string> grid = judge_grid(line);
    string cat, mouse;
    getline(cin, cat);
    getline(cin, mouse);
    dprintf(answers, "%s\n", Solution().canMouseWin(grid, stoi(cat), stoi(mouse)) ? "true" : "false");
#endif
  }
  (void)judge_graph;
  (void)judge_grid;
}
