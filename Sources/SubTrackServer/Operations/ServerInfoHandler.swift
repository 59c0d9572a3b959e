import SubTrackAPI

/// The server's description of itself.
enum ServerInfoHandler {
    /// Registers the handler.
    /// - Parameter sendsMails: whether mails leave the service.
    static func register(in registry: inout OperationRegistry, sendsMails: Bool) {
        registry.register(GetServerInfo.self) { _, call in
            Reply(
                .init(
                    name: "SubTrackIt", version: ServiceVersion.text, tenant: call.tenant.slug, now: call.now,
                    areas: call.tenant.areas.names, signedIn: call.session != nil,
                    sendsMails: sendsMails))
        }
    }
}
