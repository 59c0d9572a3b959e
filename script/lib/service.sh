# A service for scripts that look at it from outside. Sourced after common.sh, never run.
# shellcheck shell=bash

export TMPDIR=${TMPDIR:-$(temporary_place)}

# start_service FOLDER ARGUMENT…: runs subtrackd with a database of its own, which ends and is removed with the script. Sets
# `url` to its address. FOLDER/log is its log.
start_service() {
    local folder=$1 subtrackd i others=() name
    shift
    test_flags
    subtrackd=$(swift build --show-bin-path)/subtrackd
    [[ -x $subtrackd ]] || swift build --product subtrackd >&2
    # There before it is read for the first time, which may be before the service has begun.
    : >"$folder/log"
    # The caller's settings are not the service's.
    for name in "${!SUBTRACKIT_@}"; do others+=(-u "$name"); done
    env ${others[@]+"${others[@]}"} LD_PRELOAD="${SUBTRACKIT_TEST_CLOCK-}" "$subtrackd" serve --state-dir "$folder/state" \
        --http-listen 127.0.0.1:0 --socket-listen none --log-format json "$@" >>"$folder/log" 2>&1 &
    service=$!
    trap 'stop_service; rm -rf -- "'"$folder"'"' EXIT
    for ((i = 0; i < 600; i++)); do
        url=$(sed -n 's|.*listens at \(https\{0,1\}://[0-9.:]*\).*|\1|p' "$folder/log" | head -n 1)
        # Whether the certificate can be trusted is for others to judge.
        if [[ $url ]] && curl --silent --insecure --fail --output /dev/null "$url/readyz"; then return 0; fi
        if ! kill -0 "$service" 2>/dev/null; then break; fi
        sleep 0.2
    done
    cat -- "$folder/log" >&2
    die 1 "the service does not start"
}

# stop_service: ends the service in order, if there is one.
stop_service() {
    if [[ ${service-} ]]; then
        kill "$service" 2>/dev/null || true
        wait "$service" 2>/dev/null || true
        service=
    fi
}
