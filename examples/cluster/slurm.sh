#!/bin/bash
# All connected graphs of so many nodes, in parts that are the tasks of a Slurm job array, and a job that adds them up:
#
#   slurm.sh NODES PARTS FOLDER [SBATCH-OPTION...]
#
# Each node needs nauty-geng, cmclient and FOLDER, which gets a summary a part and, at the end, merged.txt: the sum, or
# which parts are missing. Given again, the same command runs what failed. Slurm's MaxArraySize limits PARTS.
set -euo pipefail

(($# >= 3)) || { echo "usage: slurm.sh NODES PARTS FOLDER [SBATCH-OPTION...]" >&2; exit 2; }
nodes=$1 parts=$2 folder=$3
shift 3
here=$(dirname "$(readlink -f "$0")")
[[ ${CMCLIENT:-} != */* ]] || CMCLIENT=$(realpath -s "$CMCLIENT")
mkdir -p "$folder"
cd "$folder"

asked="$nodes nodes in $parts parts"
[[ ! -e asked || $(<asked) == "$asked" ]] || { echo "$folder is for $(<asked)" >&2; exit 2; }
echo "$asked" >asked

missing=() after=()
for ((part = 0; part < parts; part++)); do
  [[ -e part-$part.json ]] || missing+=("$part")
done
if ((${#missing[@]})); then
  array=$(IFS=, && sbatch --parsable --array="${missing[*]}" "$@" "$here/part.sbatch" "$nodes" "$parts")
  after=(--dependency="afterany:${array%%;*}")
fi
exec sbatch "${after[@]}" "$@" "$here/merge.sbatch"
