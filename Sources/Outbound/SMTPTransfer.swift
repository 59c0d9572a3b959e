import CCurl
import Foundation

/// A mail under way.
final class SMTPTransfer: Transfer, @unchecked Sendable {
    private let message: [UInt8]
    private let sender: String
    private let recipient: String
    private let server: SMTPServer
    private let password: String?
    private let certificates: String?
    private let end: ContinuousClock.Instant
    private let recipients = StringList()
    private let answer = PendingAnswer<Void>()
    /// The number of bytes that libcurl has taken.
    private var position = 0
    /// The command that was sent last.
    private var command = "the connection"
    /// The line that the server said last, before a farewell.
    private var reply = ""
    private var isLeaving = false
    private var tries = 0
    private(set) var needsFreshConnection = false

    /// A mail.
    /// - Throws: ``OutboundFault/invalid(_:)`` for an address that would be more than one in a command.
    init(
        _ message: [UInt8], from sender: String, to recipient: String, server: SMTPServer, password: String?,
        certificates: String?, limit: Duration
    ) throws(OutboundFault) {
        for address in [sender, recipient] {
            let isWhole = address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != 0x3C && $0 != 0x3E }
            guard isWhole, address.contains("@"), address.utf8.count <= 320 else {
                throw .invalid("an address of the mail has a space, a bracket or a control character, or no @")
            }
        }
        self.message = message
        self.sender = sender
        self.recipient = recipient
        self.server = server
        self.password = password
        self.certificates = certificates
        end = .now + limit
        let security = server.security
        super.init(host: server.host, deadline: end) { address, _ in
            guard security == .none, !address.isLoopback else { return nil }
            return "\(address) is another machine, which is not reached without TLS"
        }
    }

    /// Takes the caller's continuation, before the transfer is submitted.
    func wait(_ continuation: CheckedContinuation<Void, any Error>) { answer.wait(continuation) }

    override func fail(_ error: any Error) { answer.end(.failure(error)) }

    override var wantsAnotherTry: Bool { needsFreshConnection && tries == 1 }

    override func configure(_ easy: Easy) throws(OutboundFault) {
        position = 0
        command = "the connection"
        reply = ""
        isLeaving = false
        try easy.set(CURLOPT_URL, "\(server.security == .tls ? "smtps" : "smtp")://\(server.host):\(server.port)/")
        try Easy.check(
            subtrackit_curl_set_protocols(easy.handle, "smtp,smtps", subtrackit_curl_mail_protocols()), CURLOPT_URL)
        // CURLUSESSL_ALL and CURLUSESSL_NONE
        try easy.set(CURLOPT_USE_SSL, server.security == .none ? 0 : 3)
        if let certificates { try easy.set(CURLOPT_CAINFO, certificates) }
        if let user = server.user, let password {
            try easy.set(CURLOPT_USERNAME, user)
            try easy.set(CURLOPT_PASSWORD, password)
        }
        let left = max(1, (end - .now).milliseconds)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, min(left, 15_000))
        try easy.set(CURLOPT_TIMEOUT_MS, left)
        // Mail servers close idle connections, with words that would be taken for the answer to the next command.
        try easy.set(CURLOPT_MAXAGE_CONN, 60)
        if needsFreshConnection { try easy.set(CURLOPT_FRESH_CONNECT, 1) }
        needsFreshConnection = false
        try easy.set(CURLOPT_MAIL_FROM, "<\(sender)>")
        if recipients.head == nil { try recipients.append("<\(recipient)>") }
        try easy.set(CURLOPT_MAIL_RCPT, recipients)
        try easy.set(CURLOPT_UPLOAD, 1)
        try Easy.check(
            subtrackit_curl_set_upload_size(easy.handle, Int64(message.count)), CURLOPT_INFILESIZE_LARGE)
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
    }

    /// Gives libcurl the next bytes of the mail.
    private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(room.count, message.count - position)
        room.copyBytes(from: message[position..<(position + count)])
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
            reply = String(String.UnicodeScalarView(line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
        default: break
        }
    }

    override func finish(_ code: CURLcode, _ easy: Easy) {
        tries += 1
        if code == CURLE_OK { return answer.end(.success(())) }
        let status = subtrackit_curl_info_long(easy.handle, CURLINFO_RESPONSE_CODE)
        // A kept connection that the server has given up meanwhile.
        let wasKept = subtrackit_curl_info_long(easy.handle, CURLINFO_NUM_CONNECTS) == 0
        if wasKept, position == 0, tries == 1, code != CURLE_OPERATION_TIMEDOUT, status < 400 || status == 421 {
            needsFreshConnection = true
            return
        }
        if code == CURLE_LOGIN_DENIED || (command == "AUTH" && status >= 400) { return fail(OutboundFault.denied) }
        let isReply = [CURLE_SEND_ERROR, CURLE_WEIRD_SERVER_REPLY, CURLE_RECV_ERROR].contains(code) && status >= 400
        fail(isReply ? SMTPRejection(code: status, command: command, text: reply) : fault(code))
    }
}
