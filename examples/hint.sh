#!/bin/bash
# The best move of a puzzle, asked over the socket with socat and jq:
#
#     ./hint.sh puzzles/graph.json
#
# cmclient must be in PATH: it says where the socket is, and starts the daemon where none runs.
set -euo pipefail
puzzle=${1:?usage: hint.sh PUZZLE.json}

cmclient ping >/dev/null
socket=$(cmclient sockname)

# call METHOD <PARAMS: prints the result, or the error on stderr and fails.
call() {
  jq -c --arg method "$1" '{jsonrpc: "2.0", id: 1, method: $method, params: .}' |
    socat -t 600 - "UNIX-CONNECT:$socket" |
    jq -ce 'if .error then "\(.error.data.name): \(.error.message)\n" | halt_error(1) else .result end'
}

solved=$(jq '{puzzle: .}' "$puzzle" | call solve)
jq '{id, state: .start.state}' <<<"$solved" | call query |
  jq -r '"\(.outcome)\(if .plies then " in \(.plies) plies" else "" end); "
    + "the \(.state.turn) \(if .best == null then "has no move" else "should go to \(.best)" end)"'
