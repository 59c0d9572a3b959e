/// The help texts of the service's metrics, by their labels.
public enum MetricHelp {
    /// One sentence for each metric that the service makes, with its unit.
    public static let texts: [String: String] = [
        "subtrackit_build_info": "1, with the version of the service as a label.",
        "subtrackit_tenants":
            "Tenants, by state: active, suspended, closed for work on their data, gone with their database, or unavailable, "
            + "as this replica found them last.",
        "subtrackit_mails_sent_total": "Mails of this replica that the mail program or the mail server took.",
        "subtrackit_mails_failed_total":
            "Attempts of this replica to hand over a mail that failed; a mail is tried again.",
        "subtrackit_mails_waiting": "Mails of all tenants that wait in the queue; each replica counts the same ones.",
        "subtrackit_looks_total": "Looks of this replica at users, for reminders that are due.",
        "subtrackit_look_lag_seconds":
            "Seconds since the longest due look at a user should have been, over all tenants.",
        "subtrackit_reminders_total": "Reminders that this replica has said, by kind.",
        "http_request_duration":
            "Seconds from a request's head to the last byte of its answer, by operation and status.",
        "socket_request_duration":
            "Seconds from a request on a socket to its answer, by operation and status.",
        "live_connections": "Open sockets, by kind: plain, or WebSocket.",
        "mariadb_pool_connections": "Connections to the database that are open or being opened.",
        "mariadb_pool_idle_connections": "Open connections to the database that no request uses.",
        "mariadb_pool_waiting": "Requests that wait for a connection to the database.",
        "mariadb_lease_seconds": "Seconds that a request waits for a connection to the database.",
        "mariadb_query_seconds": "Seconds from a statement to its last row.",
        "mariadb_transaction_retries_total":
            "Transactions that were run again after a deadlock, a lock wait that timed out, or a changed snapshot.",
        "mariadb_errors_total": "Errors of the database, by code.",
    ]
}
