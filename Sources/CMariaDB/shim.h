// The C interface of MariaDB Connector/C (libmariadb), as Swift sees it.
//
// pkg-config names the folder of the headers (`libmariadb.pc`). Nothing but includes belongs here: macros
// that Swift cannot import are written out in Sources/MariaDB with the manual's name beside them.
//
// On Linux the event loop needs epoll and eventfd, which Swift's Glibc module leaves out.

#ifndef SUBTRACKIT_CMARIADB_SHIM_H
#define SUBTRACKIT_CMARIADB_SHIM_H

#include <mysql.h>
#include <errmsg.h>

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

#endif
