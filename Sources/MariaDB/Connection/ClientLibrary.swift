internal import CMariaDB

/// The C library below this client.
public enum ClientLibrary {
    /// The library's version as it runs, which may be newer than the one of the build: `3.3.8`.
    public static var version: String { String(cString: mysql_get_client_info()) }
}
