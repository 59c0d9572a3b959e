/// What happens on the live connection of a device.
public enum LiveEvent: Sendable, Hashable {
    /// The socket is open, and the device in step.
    case connected
    /// Something was new, and is here now.
    case synced(SyncSummary)
    /// The service cannot be reached; it is tried again after so long.
    case disconnected(reason: String, retryIn: Duration)
}
