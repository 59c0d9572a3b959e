# A Python of our own for tests that need public tools. Sourced after common.sh, never run.
# shellcheck shell=bash

# python_environment [NAME REQUIREMENTS]: makes .build-python/NAME (env), unless it is there already. It has the packages that a
# file in Tests pins (python-requirements.txt). Prints the folder of its programs. Fails with the reason where it cannot be made.
# shellcheck disable=SC2120 # the arguments are optional
python_environment() {
    local folder=$ROOT/.build-python/${1:-env} requirements=$ROOT/Tests/${2:-python-requirements.txt} wanted
    mkdir -p -- "$ROOT/.build-python"
    # Two runs at once: the second waits, and finds the work done.
    exec 8>"$ROOT/.build-python/lock"
    ! has flock || flock 8
    wanted=$(python3 --version 2>&1 && cat -- "$requirements") || wanted=
    # Written last: an environment without it was left by a run that was ended in the middle.
    if [[ ! $wanted || ! -f $folder/.complete || $(<"$folder/.complete") != "$wanted" ]]; then
        say "Installing Python packages into ${folder#"$ROOT"/}"
        rm -rf -- "$folder"
        if ! python_make "$folder" "$requirements"; then
            exec 8>&-
            return 1
        fi
        { python3 --version && cat -- "$requirements"; } >"$folder/.complete"
    fi
    exec 8>&-
    printf '%s\n' "$folder/bin"
}

python_make() {
    local folder=$1 requirements=$2 as_root=()
    if ! python3 -m venv "$folder" >/dev/null 2>&1; then
        if ! has apt-get; then
            say "Python 3 with its module venv is missing"
            return 1
        fi
        if ((EUID != 0)); then
            if ! has sudo; then
                say "Python's venv is missing (python3-venv), and this is not root"
                return 1
            fi
            as_root=(sudo)
        fi
        as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q)
        {
            "${as_root[@]}" install --yes --no-install-recommends python3-venv ||
                { "${as_root[@]}" update && "${as_root[@]}" install --yes --no-install-recommends python3-venv; }
        } >&2 || return 1
        rm -rf -- "$folder"
        python3 -m venv "$folder" >&2 || return 1
    fi
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --requirement "$requirements" >&2
}
