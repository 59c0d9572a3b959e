import Foundation
import SubTrackAPI

/// The settings of a ``Kit``.
public struct KitSettings: Sendable {
    /// The address of the service: `https://subtrack.example.org`, with `/t/slug` where a tenant is named by path.
    public var server: String
    /// The folder of the store, which is made where it is not there.
    public var folder: URL
    /// The name that the user gives this device.
    public var deviceName: String
    /// ISO 3166-1 alpha-2, for a user who is made; nil: the service's own.
    public var country: String?
    /// IANA time zone, for a user who is made.
    public var timeZone: String
    /// The place of the token; nil: a file in ``folder`` that its owner alone may read.
    public var tokens: (any TokenStore)?
    /// The transport of requests.
    public var transport: any Transport
    /// The device's clock, right or wrong.
    public var clock: @Sendable () -> Instant
    /// Whether the service that the store belongs to is at ``server`` now. A store and its token are bound to one service;
    /// opened for another one without this, a kit throws ``KitError/otherServer(_:)``.
    public var hasMoved = false
    /// Whether the kit is opened for a moment only, as by a command in a terminal. It opens quicker, and readers wait for
    /// writers.
    public var isBrief = false
    /// Whether a change survives a loss of power. Tests need not wait for disks.
    var survivesPowerLoss = true
    /// The number of changes in a page of a pull.
    var pageSize = 1000

    /// Settings with the defaults that fit most devices.
    public init(
        server: String, folder: URL, deviceName: String, country: String? = nil,
        timeZone: String = TimeZone.current.identifier, tokens: (any TokenStore)? = nil,
        transport: any Transport = HTTPTransport(),
        clock: @escaping @Sendable () -> Instant = {
            Instant(secondsSince1970: Int64(Date().timeIntervalSince1970))
        }
    ) {
        self.server = server
        self.folder = folder
        self.deviceName = deviceName
        self.country = country
        self.timeZone = timeZone
        self.tokens = tokens
        self.transport = transport
        self.clock = clock
    }
}
