import NIOCore

/// Closes a channel whose send buffer does not drain.
///
/// The other side is slow only if nothing at all left for a while: a large answer over a thin line may take its time.
final class DrainGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let deadline: TimeAmount
    /// How long answers that are being written may still add to the buffer before its size is compared.
    private var settling: TimeAmount { .nanoseconds(deadline.nanoseconds / 5) }
    private var check: Scheduled<Void>?
    private var unsent = Int.max

    /// A guard with the time in which something must leave.
    init(deadline: Duration) { self.deadline = TimeAmount(deadline) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            check?.cancel()
            check = nil
        } else if check == nil {
            unsent = .max
            schedule(context, in: settling)
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        check?.cancel()
        context.fireChannelInactive()
    }

    private func schedule(_ context: ChannelHandlerContext, in time: TimeAmount) {
        check = context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.look(context) }
    }

    private func look(_ context: ChannelHandlerContext) {
        check = nil
        guard context.channel.isActive, !context.channel.isWritable else { return }
        let left = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? unsent
        guard left < unsent else {
            context.close(promise: nil)
            return
        }
        unsent = left
        schedule(context, in: deadline)
    }
}
