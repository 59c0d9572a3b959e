import HTTPTypes
import Hummingbird
import MariaDB
import NIOCore
import NIOHTTP1
import SubTrackAPI

/// What is known of a request beside itself: Hummingbird's own, and the address that its connection comes from.
struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    fileprivate let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}

/// Answers what Hummingbird takes in: HTTP/2. (HTTP/1.1 has a handler of its own, ``HTTP1Handler``.)
struct HummingbirdResponder: HTTPResponder {
    typealias Context = ConnectionContext

    let responder: APIResponder

    func respond(to request: Request, context: ConnectionContext) async throws -> Response {
        let id = RequestIDs.next()
        do {
            let body = try await Self.body(of: request)
            var headers = HTTPHeaders()
            for field in request.headers { headers.add(name: field.name.rawName, value: field.value) }
            let whole = ServerRequest(
                method: HTTPMethod(rawValue: request.method.rawValue), target: request.head.path ?? "/",
                authority: request.head.authority, headers: headers, body: body, id: id,
                peer: context.channel.remoteAddress)
            let answer = await DatabaseLoopGroup.shared.next().run { [responder] _ in
                await responder.respond(to: whole)
            }
            return Self.response(answer, isHead: request.method == .head)
        } catch {
            return Self.response(responder.response(for: error, id: id), isHead: request.method == .head)
        }
    }

    private static func body(of request: Request) async throws -> ByteBuffer {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > ServerRequest.maximumBody {
            throw ServerRequest.tooLarge(length: length)
        }
        var request = request
        do {
            return try await request.collectBody(upTo: ServerRequest.maximumBody)
        } catch is NIOTooManyBytesError {
            throw ServerRequest.tooLarge(length: nil)
        } catch let error where !(error is CancellationError) {
            // The transport's: a sender that went away in the middle.
            throw Problem(.inputInvalid, "The body cannot be read to its end: the request is not valid HTTP.")
        }
    }

    static func response(_ answer: ServerResponse, isHead: Bool) -> Response {
        var fields = HTTPFields()
        for (name, value) in answer.headers {
            // What speaks of a connection makes an answer malformed (RFC 9113 §8.2.2).
            if ["connection", "upgrade"].contains(name) { continue }
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        let response = Response(
            status: .init(code: Int(answer.status.code)), headers: fields,
            body: answer.body.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody())
        return isHead ? response.createHeadResponse() : response
    }
}
