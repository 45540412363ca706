#!/bin/bash
# All connected graphs of so many nodes, in parts that GNU parallel shares among hosts:
#
#   parallel.sh NODES PARTS FOLDER [HOST,HOST...]
#
# Each host needs nauty-geng, cmclient and rsync, and runs a part a core; without hosts everything runs here. FOLDER gets
# a summary a part. What was interrupted or failed runs again when the same command is given again; at the end all parts
# are added up.
set -euo pipefail

(($# >= 3)) || { echo "usage: parallel.sh NODES PARTS FOLDER [HOST,HOST...]" >&2; exit 2; }
nodes=$1 parts=$2 folder=$3 hosts=${4:-:}
client=${CMCLIENT:-cmclient}
[[ $client != */* ]] || client=$(realpath -s "$client")
mkdir -p "$folder"
cd "$folder"

asked="$nodes nodes in $parts parts"
[[ ! -e asked || $(<asked) == "$asked" ]] || { echo "$folder is for $(<asked)" >&2; exit 2; }
echo "$asked" >asked

there=()
[[ $hosts == : ]] || there=(--sshlogin "$hosts" --workdir ... --return part-{}.json --cleanup)

# A part's file is there once its run has ended well.
part="set -o pipefail; nauty-geng -q -c $nodes {}/$parts | \"$client\" batch --threads 1 --summary --json --longest 10 --part {}/$parts"
seq 0 $((parts - 1)) |
  parallel --will-cite --joblog log --resume-failed --retries 3 "${there[@]}" \
    "bash -c '$part' >part-{}.new && mv part-{}.new part-{}.json"

exec "$client" merge part-*.json
