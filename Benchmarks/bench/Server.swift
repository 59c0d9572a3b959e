import Foundation

/// A server that answers HTTP on 127.0.0.1.
struct Server {
    struct Answer {
        let status: Int
        let headers: [String]
        let body: Data
    }

    let process: Process
    let port: Int
    /// The port of the plain socket; 0 where there is none.
    var socketPort = 0
    let children: Children

    /// Starts the service and waits until it is ready.
    static func service(
        _ program: String, database: String, connections: Int, options: [String] = [], log: String, children: Children
    ) throws -> Server {
        let (port, socketPort) = (try freePort(), try freePort())
        let process = try children.start(
            program,
            [
                // Some of the callers write all the time.
                "serve", "--writes-per-hour", "1000000", "--socket-listen", "127.0.0.1:\(socketPort)", "--database-url",
                database, "--http-listen",
                "127.0.0.1:\(port)", "--log-format", "json",
                "--database-connections", String(connections),
            ] + options, log: log)
        return try Server(process: process, port: port, socketPort: socketPort, children: children)
            .ready("/readyz", log: log)
    }

    /// Starts the server that answers everything with the same: an answer of the service's.
    static func hello(
        _ program: String, answer: Answer, folder: ScratchFolder, log: String, children: Children
    ) throws -> Server {
        let port = try freePort()
        let body = folder.file("body")
        try answer.body.write(to: URL(fileURLWithPath: body))
        // The server writes these two by itself.
        let own = ["content-length:", "date:"]
        let headers = answer.headers.filter { header in !own.contains { header.lowercased().hasPrefix($0) } }
        let process = try children.start(
            program,
            ["--port", String(port), "--status", String(answer.status), "--body", body]
                + headers.flatMap { ["--header", $0] }, log: log)
        return try Server(process: process, port: port, children: children).ready("/", log: log)
    }

    /// Starts the server that does nothing but hold WebSockets, on as many threads as the service has for that.
    static func bare(_ program: String, log: String, children: Children) throws -> Server {
        let port = try freePort()
        let threads = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
        let process = try children.start(program, ["--port", String(port), "--threads", String(threads)], log: log)
        return try Server(process: process, port: port, children: children).ready("/", log: log)
    }

    private func ready(_ path: String, log: String) throws -> Server {
        let limit = ContinuousClock.now + .seconds(60)
        while true {
            let reply = try? children.run("curl", ["--silent", "--fail", "http://127.0.0.1:\(port)\(path)"])
            if reply != nil { return self }
            guard process.isRunning, ContinuousClock.now < limit else {
                let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                throw BenchFailure(
                    "\(process.executableURL?.lastPathComponent ?? "") does not start:\n\(text.suffix(2_000))")
            }
            Thread.sleep(forTimeInterval: 0.1)
        }
    }

    /// Sends one request.
    func send(
        _ method: String, _ path: String, body: String, token: String, ifNoneMatch: String? = nil, folder: ScratchFolder
    ) throws -> Answer {
        let (head, content) = (folder.file("answer-head"), folder.file("answer-body"))
        var arguments = [
            "--silent", "--show-error", "--request", method, "--header", "Authorization: Bearer \(token)",
            "--dump-header", head, "--output", content, "http://127.0.0.1:\(port)\(path)",
        ]
        if let ifNoneMatch { arguments += ["--header", "If-None-Match: \(ifNoneMatch)"] }
        // Of an answer without a body curl writes no file, and one of before would be taken for it.
        try Data().write(to: URL(fileURLWithPath: content))
        if !body.isEmpty { arguments += ["--header", "Content-Type: application/json", "--data", body] }
        try children.run("curl", arguments)
        let lines = try String(contentsOfFile: head, encoding: .utf8).split(whereSeparator: \.isNewline).map(
            String.init)
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchFailure("the service's answer has no status")
        }
        return Answer(
            status: status, headers: lines.dropFirst().filter { $0.contains(":") },
            body: try Data(contentsOf: URL(fileURLWithPath: content)))
    }

    /// The memory that the process has at the moment, in MiB; nil where the system does not tell.
    func memory() -> Double? { memory("VmRSS") }

    /// The most that it ever had.
    func peakMemory() -> Double? { memory("VmHWM") }

    private func memory(_ name: String) -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("\(name):") }),
            let number = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        return number / 1024
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchFailure("there is no socket") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard result == 0 else { throw BenchFailure("there is no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
