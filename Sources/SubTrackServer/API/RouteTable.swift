import SubTrackAPI

/// Finds the operation of a REST path.
///
/// A pure function of the registry: the same table answers which methods a path has, for 405.
struct RouteTable: Sendable {
    /// The result of a look-up.
    enum Match: Sendable {
        /// An operation, and the values of the path's parameters.
        case operation(OperationRegistry.Entry, parameters: [JSONValue.Member])
        /// There is such a path, but only with these methods.
        case otherMethods([Endpoint.Method])
        /// There is no such path.
        case nothing
    }

    private struct Route: Sendable {
        let segments: [Segment]
        /// The places of its literals, as bits; two routes of one path that have the same are routes of one resource.
        let literals: UInt64
        let entry: OperationRegistry.Entry
    }

    private enum Segment: Sendable {
        case literal(String)
        case parameter(String)
    }

    /// Routes by their number of segments.
    private var routes: [Int: [Route]] = [:]

    /// The routes of all operations.
    init(_ registry: OperationRegistry) {
        for entry in registry.entries {
            let segments = entry.endpoint.path.split(separator: "/").map { part -> Segment in
                part.hasPrefix("{") ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
            }
            let route = Route(segments: segments, literals: Self.literals(segments), entry: entry)
            routes[segments.count, default: []].append(route)
        }
        // Where both fit, a literal goes before a parameter: `/sessions/current` before `/sessions/{id}`.
        for key in routes.keys { routes[key]?.sort { $0.literals > $1.literals } }
    }

    /// The places of literals; the first segment's bit is the highest, so that a literal further left weighs more.
    private static func literals(_ segments: [Segment]) -> UInt64 {
        segments.reduce(0) { bits, segment in
            if case .literal = segment { bits << 1 | 1 } else { bits << 1 }
        }
    }

    /// Finds the operation of a method and the decoded segments of a path.
    ///
    /// A fixed path hides the parameter beside it for every method: `PUT /contacts/import` is no `PUT /contacts/{id}`.
    func match(_ method: Endpoint.Method?, _ path: [String]) -> Match {
        var others: [Endpoint.Method] = []
        var literals: UInt64?
        for route in routes[path.count] ?? [] {
            guard literals == nil || route.literals == literals,
                let parameters = Self.parameters(of: route, in: path)
            else { continue }
            if route.entry.endpoint.method == method { return .operation(route.entry, parameters: parameters) }
            literals = route.literals
            others.append(route.entry.endpoint.method)
        }
        return others.isEmpty ? .nothing : .otherMethods(others)
    }

    /// An operation of a path, with any method.
    func entry(at path: [String]) -> OperationRegistry.Entry? {
        routes[path.count]?.first { Self.parameters(of: $0, in: path) != nil }?.entry
    }

    private static func parameters(of route: Route, in path: [String]) -> [JSONValue.Member]? {
        var parameters: [JSONValue.Member] = []
        for (segment, part) in zip(route.segments, path) {
            switch segment {
            case .literal(let text): guard text == part else { return nil }
            case .parameter(let name): parameters.append(.init(name: name, value: .text(part)))
            }
        }
        return parameters
    }
}
