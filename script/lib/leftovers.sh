# Processes that a run of tests leaves behind. Sourced after common.sh, never run.
# shellcheck shell=bash

# uptime_ticks: the time since the machine's start, in the unit of /proc/PID/stat (a hundredth of a second).
uptime_ticks() {
    local seconds
    read -r seconds _ </proc/uptime
    printf '%s\n' "${seconds/./}"
}

# temporary_folder: makes a folder for all temporary files of a run, so that processes are known by it, and sets TMPDIR. Its name
# is short, because the path of a Unix socket has at most 107 bytes.
temporary_folder() {
    TMPDIR=$(mktemp -d "$(temporary_place)/st-XXXXXX")
    # Tests that become another user pass through it.
    chmod 711 "$TMPDIR"
    export TMPDIR SUBTRACKIT_TEST_FOLDER=$TMPDIR
}

# leftovers SINCE: prints a line for each process of this run that began after SINCE (of uptime_ticks) and should be gone. One with
# the run's temporary folder among its arguments, or in it, is always of this run. A program below this checkout may belong to
# another user of the checkout. It is of this run if it has lost its parent.
leftovers() {
    local since=$1 stat process rest fields program arguments place
    for stat in /proc/[0-9]*/stat; do
        process=${stat#/proc/}
        process=${process%/stat}
        IFS= read -r rest 2>/dev/null <"$stat" || continue
        # The name, in parentheses, may contain blanks: fields are counted from behind it. 1: state, 2: parent, 20: start.
        read -r -a fields <<<"${rest##*) }"
        [[ ${fields[0]-} != Z ]] || continue
        ((${fields[19]:-0} >= since)) || continue
        program=$(readlink -- "/proc/$process/exe" 2>/dev/null) || program=
        # A folder that was removed stands in the links with " (deleted)" behind it.
        place=$(readlink -- "/proc/$process/cwd" 2>/dev/null) || place=
        arguments=$(tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline") || continue
        if [[ $arguments == *"$TMPDIR"/* || $place == "$TMPDIR"* ]] ||
            { [[ $program == "$ROOT"/* || $arguments == *"$ROOT"/.build* ]] && is_orphan "${fields[1]-}"; }; then
            printf '%s %s\n' "$process" "${arguments:0:200}"
        fi
    done
}

# is_orphan PARENT: whether the parent is one that takes processes over, as the first one does and that of a user's session.
is_orphan() {
    local name=
    (($1 != 1)) || return 0
    IFS= read -r name 2>/dev/null <"/proc/$1/comm" || true
    [[ $name == systemd ]]
}

# end_leftovers SINCE: waits up to thirty seconds for the processes that are just ending, then ends the others and names them.
# Fails if there were any.
end_leftovers() {
    local since=$1 left process deadline=$((SECONDS + 30))
    while true; do
        left=$(leftovers "$since")
        [[ $left ]] || return 0
        ((SECONDS < deadline)) || break
        sleep 0.2
    done
    say "These processes outlived the tests:"
    while read -r process _; do kill -s KILL "$process" 2>/dev/null || true; done <<<"$left"
    printf '   %s\n' "$left" >&2
    return 1
}
