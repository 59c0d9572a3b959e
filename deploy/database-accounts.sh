#!/bin/bash
# Makes the accounts of the service and of its migrator when the MariaDB container begins its data; their passwords come
# from the secrets. Sourced by the image's entry point, whose function speaks to the server.
# shellcheck shell=bash

make_account() {
    local password
    password=$(<"/run/secrets/$2")
    docker_process_sql --binary-mode <<SQL
CREATE USER IF NOT EXISTS '$1'@'%' IDENTIFIED BY '${password//[\\\']/}';
SQL
}

make_account subtrackit service
make_account subtrackit_migrator migrator
