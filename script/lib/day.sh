# The day on which tests run. Sourced after common.sh, never run.
# shellcheck shell=bash

# A day like others, in the middle of a month. It is the same in every run, so that no run depends on its date.
readonly ORDINARY_DAY=2027-05-12
# Days on which something ends, begins or is done twice. On two of them the clocks in Berlin change five minutes later.
# shellcheck disable=SC2034 # used by those who source this
readonly OTHER_DAYS=(2028-02-29 2027-02-28 2027-01-31 '2026-12-31 23:58' 2027-01-01 '2027-03-28 00:55' '2027-10-31 00:55' 2026-11-30 2026-11-28)

# pretend_day FOLDER: begins the day of SUBTRACKIT_TEST_DAY, or an ordinary one, at its time or at ten o'clock in UTC. Nothing is pretended
# where the variable is empty. SUBTRACKIT_TEST_CLOCK names a library in the folder. With it in LD_PRELOAD a program and those that it starts
# have that time. Programs that fetch something from elsewhere are run without it: certificates have the machine's time.
pretend_day() {
    local day=${SUBTRACKIT_TEST_DAY-$ORDINARY_DAY} began
    unset SUBTRACKIT_TEST_CLOCK
    [[ $day ]] || return 0
    [[ $day == *:* ]] || day+=' 10:00'
    if [[ $(uname -s) != Linux ]] || ! has cc; then
        say "SKIPPED: the pretend day: it wants Linux and a compiler of C"
        return 0
    fi
    began=$(date --utc --date "$day" +%s) || die "$EX_USAGE" "SUBTRACKIT_TEST_DAY is no day: '$day'"
    export SUBTRACKIT_TEST_CLOCK=$1/pretend-$began.so
    cc -shared -fPIC -O2 -DOFFSET=$((began - $(date +%s))) -o "$SUBTRACKIT_TEST_CLOCK" script/lib/pretend.c
    say "The day is $(date --utc --date "$day" '+%A, %F %H:%M') UTC"
}
