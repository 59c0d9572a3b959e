import CCurl

/// A handle of libcurl with the connection that it keeps.
///
/// Unchecked: one thread at a time uses it.
///
/// An option that is not set is a fault, because limits and encryption are options too.
struct Easy: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer

    /// A handle without a connection.
    /// - Throws: ``OutboundFault/broken(_:)`` where libcurl does not start.
    init() throws(OutboundFault) {
        guard Self.hasStarted, let handle = curl_easy_init() else { throw .broken("libcurl does not start") }
        self.handle = handle
    }

    /// The start of libcurl, once in a process.
    private static let hasStarted = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Ends the connection and frees the handle. It may wait for the server's farewell.
    func end() { curl_easy_cleanup(handle) }

    /// Takes back all options. The connection stays.
    func reset() { curl_easy_reset(handle) }

    func set(_ option: CURLoption, _ value: Int) throws(OutboundFault) {
        try Self.check(subtrackit_curl_set_long(handle, option, value), option)
    }

    func set(_ option: CURLoption, _ value: String) throws(OutboundFault) {
        try Self.check(subtrackit_curl_set_text(handle, option, value), option)
    }

    /// The list must outlive the transfer.
    func set(_ option: CURLoption, _ list: UnsafeMutablePointer<curl_slist>) throws(OutboundFault) {
        try Self.check(subtrackit_curl_set_list(handle, option, list), option)
    }

    func set(_ option: CURLoption, context: UnsafeMutableRawPointer) throws(OutboundFault) {
        try Self.check(subtrackit_curl_set_context(handle, option, context), option)
    }

    func set(_ option: CURLoption, function: subtrackit_curl_data_function) throws(OutboundFault) {
        try Self.check(subtrackit_curl_set_data_function(handle, option, function), option)
    }

    /// Sets the options of all transfers: TLS 1.2 or later with certificates that are verified, no signals, and no proxy of the
    /// environment.
    /// - Parameter certificates: the path of a file of PEM certificates that are trusted; nil: those of the system.
    func setUsual(certificates: String?) throws(OutboundFault) {
        try set(CURLOPT_NOSIGNAL, 1)
        try Self.check(subtrackit_curl_set_quick_exit(handle), CURLOPT_NOSIGNAL)
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, 6)  // CURL_SSLVERSION_TLSv1_2
        if let certificates { try set(CURLOPT_CAINFO, certificates) }
    }

    /// A number that libcurl knows of the last transfer.
    func number(_ info: CURLINFO) -> Int { subtrackit_curl_info_long(handle, info) }

    /// Fails where libcurl did not take an option.
    static func check(_ code: CURLcode, _ option: CURLoption) throws(OutboundFault) {
        guard code == CURLE_OK else {
            throw .broken(
                "libcurl does not take its option \(option.rawValue): \(String(cString: curl_easy_strerror(code)))")
        }
    }
}
