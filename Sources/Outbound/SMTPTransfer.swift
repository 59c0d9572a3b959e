import CCurl
import Foundation
import Synchronization

/// A mail under way, or a greeting without one.
///
/// Unchecked: the thread that performs it alone has all but the flag.
final class SMTPTransfer: @unchecked Sendable {
    private struct Mail {
        let bytes: [UInt8]
        let sender: String
        let recipient: String
    }

    private let mail: Mail?
    private let sender: String?
    private let deadline: ContinuousClock.Instant
    private let isCancelled = Atomic(false)
    /// The number of bytes that libcurl has taken.
    private var position = 0
    /// The command that was sent last.
    private var command = "the connection"
    /// The line that the server said last, before a farewell.
    private var reply = ""
    private var isLeaving = false

    /// A greeting.
    init(as sender: String?, by deadline: ContinuousClock.Instant) {
        mail = nil
        self.sender = sender
        self.deadline = deadline
    }

    /// A mail.
    /// - Throws: ``OutboundFault/invalid(_:)`` for an address that would be more than one in a command.
    init(
        _ message: [UInt8], from sender: String, to recipient: String, by deadline: ContinuousClock.Instant
    ) throws(OutboundFault) {
        for address in [sender, recipient] {
            let isWhole = address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != 0x3C && $0 != 0x3E }
            guard isWhole, address.contains("@"), address.utf8.count <= 320 else {
                throw .invalid("an address of the mail has a space, a bracket or a control character, or no @")
            }
        }
        mail = Mail(bytes: message, sender: sender, recipient: recipient)
        self.sender = sender
        self.deadline = deadline
    }

    /// The name in the greeting: the domain of the sender. That of a container means nothing to a server, and some refuse it. nil: libcurl
    /// takes that of this machine.
    private var greetingName: Substring? {
        guard let domain = sender?.split(separator: "@").last, domain.contains("."),
            domain.utf8.allSatisfy({
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || "0123456789.-".utf8.contains($0)
            })
        else { return nil }
        return domain
    }

    /// Ends it soon, from any thread.
    func cancel() { isCancelled.store(true, ordering: .releasing) }

    /// Hands the mail over, on this thread.
    /// - Throws: ``SMTPRejection``, ``OutboundFault``, `CancellationError`.
    func perform(_ easy: Easy, _ server: SMTPServer, _ password: String?, _ certificates: String?) throws {
        for isFresh in [false, true] {
            easy.reset()
            let left = Int((deadline - .now) / .milliseconds(1))
            guard left > 0 else { throw OutboundFault.timedOut }
            if isCancelled.load(ordering: .acquiring) { throw CancellationError() }
            try configure(easy, server, password, certificates)
            try easy.set(CURLOPT_CONNECTTIMEOUT_MS, min(left, 15_000))
            try easy.set(CURLOPT_TIMEOUT_MS, left)
            if isFresh { try easy.set(CURLOPT_FRESH_CONNECT, 1) }
            let recipients = mail.flatMap { curl_slist_append(nil, "<\($0.recipient)>") }
            defer { curl_slist_free_all(recipients) }
            if let recipients { try easy.set(CURLOPT_MAIL_RCPT, recipients) }
            let code = withExtendedLifetime(self) { curl_easy_perform(easy.handle) }
            if code == CURLE_OK { return }
            let status = easy.number(CURLINFO_RESPONSE_CODE)
            // The server has given the kept connection up meanwhile.
            let wasKept = easy.number(CURLINFO_NUM_CONNECTS) == 0
            if wasKept, !isFresh, position == 0, code != CURLE_OPERATION_TIMEDOUT, status < 400 || status == 421 {
                continue
            }
            throw fault(code, status)
        }
    }

    private func fault(_ code: CURLcode, _ status: Int) -> any Error {
        if code == CURLE_ABORTED_BY_CALLBACK { return CancellationError() }
        if code == CURLE_LOGIN_DENIED || (command == "AUTH" && status >= 400) { return OutboundFault.denied }
        let replies = [
            CURLE_SEND_ERROR, CURLE_WEIRD_SERVER_REPLY, CURLE_RECV_ERROR, CURLE_REMOTE_ACCESS_DENIED,
        ]
        let isReply = replies.contains(code) && status >= 400
        return isReply ? SMTPRejection(code: status, command: command, text: reply) : OutboundFault(code)
    }

    private func configure(
        _ easy: Easy, _ server: SMTPServer, _ password: String?, _ certificates: String?
    ) throws(OutboundFault) {
        position = 0
        command = "the connection"
        reply = ""
        isLeaving = false
        try easy.set(CURLOPT_URL, server.url + (greetingName.map { "/\($0)" } ?? ""))
        try Easy.check(subtrackit_curl_set_mail_protocols(easy.handle), CURLOPT_URL)
        try easy.setUsual(certificates: certificates)
        try easy.set(CURLOPT_USE_SSL, server.security == .none ? 0 : 3)  // CURLUSESSL_NONE, CURLUSESSL_ALL
        if let user = server.user, let password {
            try easy.set(CURLOPT_USERNAME, user)
            try easy.set(CURLOPT_PASSWORD, password)
        }
        if let mail {
            try easy.set(CURLOPT_MAIL_FROM, "<\(mail.sender)>")
            try easy.set(CURLOPT_UPLOAD, 1)
            try Easy.check(
                subtrackit_curl_set_upload_size(easy.handle, Int64(mail.bytes.count)), CURLOPT_INFILESIZE_LARGE)
        } else {
            try easy.set(CURLOPT_CONNECT_ONLY, 1)
        }
        try listen(easy)
    }

    /// Has libcurl ask this mail for its bytes, pass on commands and answers, and ask whether to go on.
    private func listen(_ easy: Easy) throws(OutboundFault) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try easy.set(CURLOPT_READDATA, context: context)
        try easy.set(
            CURLOPT_READFUNCTION,
            function: { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let transfer = Unmanaged<SMTPTransfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
            })
        // Answers of the server would be written to standard output.
        try easy.set(CURLOPT_WRITEFUNCTION, function: { _, size, count, _ in size * count })
        try easy.set(CURLOPT_VERBOSE, 1)
        try easy.set(CURLOPT_DEBUGDATA, context: context)
        let note: subtrackit_curl_debug_function = { _, type, bytes, count, context in
            guard let bytes, let context else { return 0 }
            let transfer = Unmanaged<SMTPTransfer>.fromOpaque(context).takeUnretainedValue()
            transfer.note(type, UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
        try Easy.check(subtrackit_curl_set_debug_function(easy.handle, note), CURLOPT_DEBUGFUNCTION)
        try easy.set(CURLOPT_NOPROGRESS, 0)
        try easy.set(CURLOPT_XFERINFODATA, context: context)
        let ask: subtrackit_curl_progress_function = { context, _, _, _, _ in
            guard let context else { return 0 }
            let transfer = Unmanaged<SMTPTransfer>.fromOpaque(context).takeUnretainedValue()
            return transfer.isCancelled.load(ordering: .acquiring) ? 1 : 0
        }
        try Easy.check(subtrackit_curl_set_progress_function(easy.handle, ask), CURLOPT_XFERINFOFUNCTION)
    }

    /// Gives libcurl the next bytes of the mail.
    private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
        guard let bytes = mail?.bytes else { return 0 }
        let count = min(room.count, bytes.count - position)
        room.copyBytes(from: bytes[position..<(position + count)])
        position += count
        return count
    }

    /// Notes commands, by their first word alone, and answers. Other lines that are sent hold passwords.
    private func note(_ type: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
        let line = String(decoding: bytes.prefix(400), as: UTF8.self)
        switch type {
        case CURLINFO_HEADER_OUT:
            let word = line.prefix { $0.isLetter }.uppercased()
            isLeaving = word == "QUIT"
            if ["EHLO", "HELO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA"].contains(word) { command = word }
        case CURLINFO_HEADER_IN where !isLeaving:
            reply = String(
                String.UnicodeScalarView(line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
        default: break
        }
    }
}
