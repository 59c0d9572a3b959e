import SubTrackAPI

/// A sender of messages of one tenant.
struct ChannelSender: Sendable {
    let tenant: Tenant
    let keys: ChannelKeys
    let outbound: any OutboundHTTP
    let hosts: RequestTurns<String>
    /// The page of the tenant, with a slash at its end.
    let page: String

    /// Sends a message.
    /// - Returns: the verdict; nil: the host is busy, and nothing was sent.
    func send(_ message: ChannelMessage, to channel: ChannelRow, now: Instant) async throws -> DeliveryVerdict? {
        let outgoing: OutboundMessage
        do {
            outgoing = try ChannelForm(keys: keys, now: now).message(message, for: channel)
        } catch let fault as ChannelFault {
            return .failed(problem: fault.reason, retryAfter: nil)
        }
        let host = (try? ChannelTarget(channel.target, kind: channel.kind))?.host ?? channel.target
        do {
            return try await hosts.run(host) {
                do {
                    return .judge(try await outbound.post(outgoing), of: channel.kind)
                } catch let failure as OutboundFailure {
                    return .failed(problem: failure.description, retryAfter: nil)
                }
            }
        } catch is TurnMissed {
            return nil
        }
    }
}
