# The servers that script/server-tree knows, and the scripts that run their programs. Sourced, never run.
# shellcheck shell=bash

# shellcheck disable=SC2034 # used by those who source this
readonly SERVER_TREES=(mysql mysql-8.4 mysql-8.0 mariadb-sid mariadb-11.8 mariadb-11.4 mariadb-10.11 mariadb-10.6 mariadb-10.5)

# server_tree_title NAME: a server in words; fails for a name that is not known.
server_tree_title() {
    case $1 in
        mysql) echo "MySQL of Debian unstable" ;;
        mysql-8.4) echo "MySQL 8.4 of Ubuntu 26.04" ;;
        mysql-8.0) echo "MySQL 8.0 of Ubuntu 22.04" ;;
        mariadb-11.8) echo "MariaDB 11.8 of Debian 13" ;;
        mariadb-11.4) echo "MariaDB 11.4 of Ubuntu 25.04" ;;
        mariadb-10.11) echo "MariaDB 10.11 of Debian 12" ;;
        mariadb-10.6) echo "MariaDB 10.6 of Ubuntu 22.04" ;;
        mariadb-10.5) echo "MariaDB 10.5 of Debian 11, which is too old" ;;
        mariadb-sid) echo "MariaDB of Debian unstable" ;;
        *) return 1 ;;
    esac
}

# server_tree_source NAME: the suite of Debian or Ubuntu, and the packages.
server_tree_source() {
    case $1 in
        mysql) echo "sid mysql-server-core,mysql-client-core" ;;
        mysql-8.4) echo "resolute mysql-server-core,mysql-client-core" ;;
        mysql-8.0) echo "jammy mysql-server-core-8.0,mysql-client-core-8.0" ;;
        mariadb-10.6) echo "jammy mariadb-server-core-10.6,mariadb-client-core-10.6" ;;
        mariadb-11.8) echo "trixie mariadb-server-core,mariadb-client-core" ;;
        mariadb-11.4) echo "plucky mariadb-server-core,mariadb-client-core" ;;
        mariadb-10.11) echo "bookworm mariadb-server-core,mariadb-client-core" ;;
        mariadb-10.5) echo "bullseye mariadb-server-core-10.5,mariadb-client-core-10.5" ;;
        mariadb-sid) echo "sid mariadb-server-core,mariadb-client-core" ;;
    esac
}

# write_launchers TREE: writes TREE/launch, with a script for each program of the server and its client. A script runs its
# program by the tree's own loader, so that the tree's C library is used and not this machine's. It names itself as the
# program: a server is found in the process table by that name, and mariadb-upgrade looks for its helpers beside it.
write_launchers() {
    local tree=$1 loader libraries folder name new=$1/launch.new
    loader=$(cd -- "$tree" && printf '%s\n' usr/lib/*-linux-gnu/ld-linux*.so.* lib/*-linux-gnu/ld-linux*.so.* |
        grep -v '[*]' | head -n 1)
    [[ $loader ]] || return 1
    # shellcheck disable=SC2015,SC2016 # no library is no fault; $tree is for the launcher
    libraries=$(cd -- "$tree" && printf '%s\n' usr/lib/*-linux-gnu lib/*-linux-gnu usr/lib/mysql/private |
        grep -v '[*]' | while IFS= read -r folder; do [[ -d $folder ]] && printf '$tree/%s:' "$folder"; done || true)
    rm -rf -- "$new"
    mkdir -p -- "$new/base/bin" "$new/base/sbin"
    ln -s ../../usr/share "$new/base/share"
    for name in mariadbd mysqld mariadb mariadb-admin mariadb-check mariadb-dump mariadb-upgrade mysql mysqldump \
        my_print_defaults resolveip; do
        for folder in usr/sbin usr/bin; do
            # A name of MySQL's that is MariaDB's program by a link is left out.
            [[ -f $tree/$folder/$name && ! -L $tree/$folder/$name ]] || continue
            launcher "$folder/$name" "$loader" "${libraries%:}" >"$new/$name"
            chmod +x -- "$new/$name"
        done
    done
    if [[ -f $new/mariadbd ]]; then
        ln -s ../../mariadbd "$new/base/sbin/mariadbd"
        # The installer of MariaDB 10.5 looks for the older name.
        ln -s ../../mariadbd "$new/base/sbin/mysqld"
    fi
    for name in my_print_defaults resolveip; do
        [[ ! -f $new/$name ]] || ln -s "../../$name" "$new/base/bin/$name"
    done
    if [[ -f $tree/usr/bin/mariadb-install-db ]]; then
        cat >"$new/mariadb-install-db" <<'END'
#!/usr/bin/env bash
here=$(cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)
exec "$here/../usr/bin/mariadb-install-db" "$@" --basedir="$here/base"
END
        chmod +x -- "$new/mariadb-install-db"
    fi
    # A tree without its server would leave tests to that of this machine.
    [[ -x $new/mariadbd || -x $new/mysqld ]] || return 1
    rm -rf -- "$tree/launch"
    mv -- "$new" "$tree/launch"
}

# launcher PROGRAM LOADER LIBRARIES: prints the script that runs a program of a tree.
launcher() {
    local options="" name=""
    # Debian 11's loader does not know the option.
    # shellcheck disable=SC2016 # for the launcher
    if [[ $("$tree/$2" --help 2>/dev/null) == *--argv0* ]]; then name=' --argv0 "$0"'; fi
    case $1 in
        */mariadbd | */mysqld)
            # shellcheck disable=SC2016 # for the launcher
            options=' --basedir="$tree/usr" --lc-messages-dir="$share" --character-sets-dir="$share/charsets"'
            # shellcheck disable=SC2016 # for the launcher
            options+=' --plugin-dir="$plugins"'
            ;;
    esac
    cat <<END
#!/usr/bin/env bash
tree=\$(dirname -- "\$(dirname -- "\$(readlink -f -- "\$0")")")
share=\$tree/usr/share/mysql plugins=\$tree/usr/lib/mysql/plugin
if [[ -d \$tree/usr/share/mariadb/charsets ]]; then share=\$tree/usr/share/mariadb; fi
exec -a "\$0" "\$tree/$2" --library-path "$3"$name "\$tree/$1" "\$@"$options
END
}
