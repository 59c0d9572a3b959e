import Outbound

/// The service's own way out.
extension OutboundClient: OutboundHTTP {
    func post(_ message: OutboundMessage) async throws -> OutboundAnswer {
        do {
            let response = try await post(
                OutboundRequest(
                    try OutboundURL(message.url), headers: message.headers.map { .init($0.name, $0.value) },
                    body: message.body))
            return OutboundAnswer(
                status: response.status, retryAfter: response.retryAfter?.components.seconds, body: response.body)
        } catch let fault as OutboundFault {
            throw OutboundFailure(description: fault.description)
        }
    }

    func refusal(of url: String) async -> String? {
        do {
            return addressGuard.refusal(of: try OutboundURL(url))
        } catch {
            return error.description
        }
    }
}
