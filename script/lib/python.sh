# A Python of our own for tests that need public tools. Sourced after common.sh, never run.
# shellcheck shell=bash

# python_environment [NAME REQUIREMENTS]: has an environment NAME (env) in the user's cache, with the packages that a file in Tests pins
# (python-requirements.txt). .build-python/NAME leads there. Prints the folder of its programs. Fails with the reason where it
# cannot be made.
# shellcheck disable=SC2120 # the arguments are optional
python_environment() {
    local name=${1:-env} requirements=$ROOT/Tests/${2:-python-requirements.txt} folder
    folder=$({ python3 --version && cat -- "$requirements"; } 2>&1 | cached "python-$name") || return 1
    # Two runs at once: the second waits, and finds the work done.
    exec 8>"$folder.lock"
    ! has flock || flock 8
    if [[ ! -f $folder/.complete ]]; then
        say "Installing Python packages into $folder"
        rm -rf -- "$folder"
        if ! python_make "$folder" "$requirements"; then
            exec 8>&-
            return 1
        fi
        : >"$folder/.complete"
    fi
    exec 8>&-
    mkdir -p -- "$ROOT/.build-python"
    [[ -L $ROOT/.build-python/$name ]] || rm -rf -- "${ROOT:?}/.build-python/$name"
    ln -sfn -- "$folder" "$ROOT/.build-python/$name"
    printf '%s\n' "$folder/bin"
}

python_make() {
    local folder=$1 requirements=$2
    if ! python3 -m venv "$folder" >/dev/null 2>&1; then
        install_packages python3-venv || {
            say "Python 3 with its module venv is missing"
            return 1
        }
        rm -rf -- "$folder"
        python3 -m venv "$folder" >&2 || return 1
    fi
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --requirement "$requirements" >&2
}
