import CCurl

/// The transfers of a loop: those that wait for a place, and those under way. Its thread alone uses it.
struct TransferQueue {
    private let bounds: TransferLoop.Bounds
    private var waiting: [Transfer] = []
    private var active: [UnsafeMutableRawPointer: Transfer] = [:]
    private var hosts: [String: Int] = [:]

    init(bounds: TransferLoop.Bounds) {
        self.bounds = bounds
    }

    /// Whether nothing waits and nothing is under way.
    var isEmpty: Bool { waiting.isEmpty && active.isEmpty }

    mutating func add(_ transfers: [Transfer]) {
        waiting += transfers
    }

    /// Begins those that have a place, the longest waiting first. A host that has its share is passed over.
    mutating func start(_ multi: UnsafeMutableRawPointer, _ sockets: SocketTable) {
        guard !waiting.isEmpty, active.count < bounds.transfers else { return }
        var left: [Transfer] = []
        for transfer in waiting {
            guard active.count < bounds.transfers, hosts[transfer.host, default: 0] < bounds.transfersPerHost else {
                left.append(transfer)
                continue
            }
            do {
                let easy = try transfer.prepare(sockets: sockets)
                guard curl_multi_add_handle(multi, easy.handle) == CURLM_OK else {
                    throw OutboundFault.broken("libcurl does not take the transfer")
                }
                active[easy.handle] = transfer
                hosts[transfer.host, default: 0] += 1
            } catch {
                transfer.release()
                transfer.fail(error)
            }
        }
        waiting = left
    }

    /// Tells callers of transfers that have ended.
    /// - Returns: whether any has.
    mutating func finish(_ multi: UnsafeMutableRawPointer) -> Bool {
        var hasEnded = false
        var count: Int32 = 0
        while let message = curl_multi_info_read(multi, &count) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            let code = message.pointee.data.result
            guard let transfer = active[handle] else { continue }
            hasEnded = true
            curl_multi_remove_handle(multi, handle)
            forget(handle, transfer)
            transfer.finish(code, Easy(handle: handle))
            transfer.release()
            if transfer.wantsAnotherTry { waiting.insert(transfer, at: 0) }
        }
        return hasEnded
    }

    /// Ends those whose callers wait no longer.
    mutating func removeCancelled(_ multi: UnsafeMutableRawPointer) {
        for transfer in waiting where transfer.isCancelled { transfer.fail(CancellationError()) }
        waiting.removeAll { $0.isCancelled }
        remove(multi, CancellationError()) { $0.isCancelled }
    }

    /// Ends those whose answer has begun and has stopped, and those that have waited too long for a place.
    mutating func removeOverdue(_ multi: UnsafeMutableRawPointer) {
        let now = ContinuousClock.now
        let isOverdue = { (transfer: Transfer) in transfer.deadline.map { $0 <= now } ?? false }
        for transfer in waiting where isOverdue(transfer) { transfer.fail(OutboundFault.timedOut) }
        waiting.removeAll(where: isOverdue)
        let silence = bounds.silence
        remove(multi, OutboundFault.timedOut) { $0.lastHeard.map { now - $0 > silence } ?? false }
    }

    /// Ends all.
    mutating func failAll(_ multi: UnsafeMutableRawPointer) {
        remove(multi, OutboundFault.closed) { _ in true }
        for transfer in waiting { transfer.fail(OutboundFault.closed) }
        waiting = []
    }

    private mutating func remove(
        _ multi: UnsafeMutableRawPointer, _ error: any Error, where isOver: (Transfer) -> Bool
    ) {
        for (handle, transfer) in active where isOver(transfer) {
            curl_multi_remove_handle(multi, handle)
            forget(handle, transfer)
            transfer.release()
            transfer.fail(error)
        }
    }

    private mutating func forget(_ handle: UnsafeMutableRawPointer, _ transfer: Transfer) {
        active[handle] = nil
        let count = (hosts[transfer.host] ?? 1) - 1
        hosts[transfer.host] = count > 0 ? count : nil
    }
}
