import CCurl

/// A transfer of libcurl. Each option that is not set is a fault, because limits and the guard are options too.
struct Easy {
    let handle: UnsafeMutableRawPointer

    func set(_ option: CURLoption, _ value: Int) throws(OutboundFault) {
        try Self.check(subtrackit_curl_set_long(handle, option, value), option)
    }

    func set(_ option: CURLoption, _ value: String) throws(OutboundFault) {
        try Self.check(subtrackit_curl_set_text(handle, option, value), option)
    }

    /// The list must outlive the transfer.
    func set(_ option: CURLoption, _ list: StringList) throws(OutboundFault) {
        try Self.check(subtrackit_curl_set_list(handle, option, list.head), option)
    }

    func set(_ option: CURLoption, context: UnsafeMutableRawPointer) throws(OutboundFault) {
        try Self.check(subtrackit_curl_set_context(handle, option, context), option)
    }

    func set(_ option: CURLoption, function: subtrackit_curl_data_function) throws(OutboundFault) {
        try Self.check(subtrackit_curl_set_data_function(handle, option, function), option)
    }

    func setBody(_ bytes: [UInt8]) throws(OutboundFault) {
        let code = bytes.withUnsafeBytes { bytes in
            // An empty body has no address, which would mean that there is none.
            withUnsafeBytes(of: UInt8(0)) { empty in
                let start = bytes.isEmpty ? empty.baseAddress : bytes.baseAddress
                return subtrackit_curl_set_body(handle, start?.assumingMemoryBound(to: CChar.self), Int64(bytes.count))
            }
        }
        try Self.check(code, CURLOPT_COPYPOSTFIELDS)
    }

    /// Fails where libcurl did not take an option.
    static func check(_ code: CURLcode, _ option: CURLoption) throws(OutboundFault) {
        guard code == CURLE_OK else {
            let words = String(cString: curl_easy_strerror(code))
            throw .invalid("libcurl does not take its option \(option.rawValue): \(words)")
        }
    }
}

/// A list of texts as libcurl has it.
final class StringList {
    private(set) var head: UnsafeMutablePointer<curl_slist>?

    /// An empty list.
    init() {}

    func append(_ text: String) throws(OutboundFault) {
        guard let longer = curl_slist_append(head, text) else { throw .invalid("there is no memory") }
        head = longer
    }

    deinit { curl_slist_free_all(head) }
}

/// The start of libcurl, once in a process.
enum Curl {
    /// Whether it has started.
    static let hasStarted = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
