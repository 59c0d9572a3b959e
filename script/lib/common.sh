# What the scripts share. Sourced, never run.
# shellcheck shell=bash

set -euo pipefail

# Each script runs in the repository's top folder, wherever it is called from.
ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
cd -- "$ROOT"

# Exit codes of sysexits.h that subtrackd uses as well.
# shellcheck disable=SC2034 # used by those who source this
readonly EX_USAGE=64 EX_UNAVAILABLE=69

# Progress goes to standard error: standard output is for results.
say() { printf '== %s\n' "$*" >&2; }

# die CODE MESSAGE: says why it ends, and ends.
die() {
    local code=$1
    shift
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit "$code"
}

has() { command -v "$1" >/dev/null 2>&1; }

# Prints the comment at the head of a script, which is its help.
help_of() { sed -n '2,/^[^#]/{ /^#/ s/^# \{0,1\}//p; }' "$1"; }

# How the programs that people run are built: across modules, and with Swift's libraries inside, which takes a sixth off
# the processor time of a request. Nothing looks for their symbols at run time: a table of them would make `subtrack list` begin
# a millisecond later. (`swift build` alone works as well.)
# shellcheck disable=SC2034 # used by those who source this
readonly RELEASE_BUILD=(--configuration release --static-swift-stdlib -Xswiftc -cross-module-optimization
    -Xlinker --no-export-dynamic)
