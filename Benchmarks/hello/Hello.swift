import ArgumentParser
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// HTTP alone: Hummingbird with a handler that answers every request with the same bytes.
@main
struct Hello: AsyncParsableCommand {
    @Option(help: "Port on 127.0.0.1.")
    var port: Int

    @Option(help: "Status of the answers.")
    var status = 200

    @Option(help: "File with the body of the answers.")
    var body: String

    @Option(name: .customLong("header"), help: "A header of the answers: \"Name: value\".")
    var headers: [String] = []

    func run() async throws {
        let body = ByteBuffer(bytes: try Data(contentsOf: URL(fileURLWithPath: body)))
        var fields = HTTPFields()
        for header in headers {
            let parts = header.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
                throw ValidationError("not a header: \(header)")
            }
            fields.append(HTTPField(name: name, value: parts[1].trimmingCharacters(in: .whitespaces)))
        }
        let responder = Constant(status: .init(code: status), headers: fields, body: body)
        var logger = Logger(label: "hello")
        logger.logLevel = .warning
        let application = Application(
            responder: responder, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            logger: logger)
        try await application.runService()
    }
}

/// Answers every request with the same bytes.
struct Constant: HTTPResponder {
    typealias Context = BasicRequestContext

    let status: HTTPResponse.Status
    let headers: HTTPFields
    let body: ByteBuffer

    func respond(to request: Request, context: Context) async throws -> Response {
        Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }
}
