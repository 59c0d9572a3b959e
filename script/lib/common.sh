# Functions that the scripts share. Sourced, never run.
# shellcheck shell=bash

set -euo pipefail

# Each script runs in the repository's top folder, wherever it is called from. The folder has one path, with any links to it.
ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
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

# install_packages PACKAGE...: installs packages of Debian or Ubuntu, as root or by sudo. Fails where that cannot be done.
install_packages() {
    local as_root=()
    has apt-get || return 1
    if ((EUID != 0)); then
        has sudo || return 1
        as_root=(sudo)
    fi
    as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q)
    {
        "${as_root[@]}" install --yes --no-install-recommends "$@" ||
            { "${as_root[@]}" update && "${as_root[@]}" install --yes --no-install-recommends "$@"; }
    } >&2
}

# temporary_place: the folder of temporary folders of tests. A database syncs its files at each statement that defines a table or
# a trigger. On a disk that takes up to forty times as long as in memory. /dev/shm is chosen with 4 GiB of room, on a machine with
# 8 GiB of free memory, where programs may run from it; else /tmp. TemporaryPlace.swift chooses likewise.
temporary_place() {
    local room free
    if [[ -w /dev/shm ]] && ! grep -q '^[^ ]* /dev/shm .*noexec' /proc/mounts; then
        room=$(df --output=avail -k /dev/shm | tail -n 1)
        free=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
        if ((room >= 4 << 20 && ${free:-0} >= 8 << 20)); then
            echo /dev/shm
            return 0
        fi
    fi
    echo /tmp
}

# cached NAME: the folder in the user's cache for a thing that is made from the text on standard input. Another clone on this machine finds
# it there. The maker writes FOLDER/.complete last: a folder without it was left by a run that was ended in the middle.
cached() {
    local folder=${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/subtrackit
    mkdir -p -- "$folder"
    printf '%s/%s-%s\n' "$folder" "$1" "$(sha256sum | cut -c 1-12)"
}

# Prints the comment at the head of a script, which is its help.
help_of() { sed -n '2,/^[^#]/{ /^#/ s/^# \{0,1\}//p; }' "$1"; }

# The build of the programs that people run. Every script uses these flags on this path, so that none rebuilds the work
# of another. Optimization across modules and Swift's libraries inside take a sixth off the processor time of a request.
# A program without a table of its symbols for the loader starts a millisecond earlier.
readonly RELEASE_PATH=.build-release
RELEASE_FLAGS=(--configuration release -Xswiftc -cross-module-optimization)
# Apple's systems bring Swift's libraries, and their linker has neither option.
if [[ $(uname -s) != Darwin ]]; then RELEASE_FLAGS+=(--static-swift-stdlib -Xlinker --no-export-dynamic); fi
readonly RELEASE_FLAGS

# Warnings are errors in builds for tests (Package.swift reads this). Another value compiles all sources again.
test_flags() { export SUBTRACKIT_WARNINGS=errors; }

# jobs: how many compilers run at the same time.
jobs_of_build() { printf '%s\n' "${SUBTRACKIT_BUILD_JOBS:-$(getconf _NPROCESSORS_ONLN)}"; }

# release_build PRODUCT…: builds programs into $RELEASE_PATH/release. The variable of test_flags would compile all sources again.
release_build() {
    local product
    for product in "$@"; do
        say "Building $product"
        env -u SUBTRACKIT_WARNINGS swift build --jobs "$(jobs_of_build)" "${RELEASE_FLAGS[@]}" --scratch-path "$RELEASE_PATH" \
            --product "$product" 2>&1 | own_lines >&2
    done
}

# own_lines: the build's output without warnings of packages and libraries that this project cannot change.
own_lines() {
    awk "/^warning: '[^']*': found [0-9]+ file\(s\) which are unhandled/ { inside = 1; next }
        inside && /^ / { next }
        # The linker's, of Swift's own libraries.
        /\/swift_static\/.*: warning: / { next }
        { inside = 0; print; fflush() }"
}
