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
            routes[segments.count, default: []].append(Route(segments: segments, entry: entry))
        }
        // Where both fit, a literal goes before a parameter: `/sessions/current` before `/sessions/{id}`.
        for key in routes.keys {
            routes[key]?.sort { left, right in Self.literals(left) > Self.literals(right) }
        }
    }

    private static func literals(_ route: Route) -> Int {
        route.segments.count { if case .literal = $0 { true } else { false } }
    }

    /// Finds the operation of a method and the decoded segments of a path.
    func match(_ method: Endpoint.Method?, _ path: [String]) -> Match {
        var others: [Endpoint.Method] = []
        for route in routes[path.count] ?? [] {
            guard let parameters = Self.parameters(of: route, in: path) else { continue }
            if route.entry.endpoint.method == method { return .operation(route.entry, parameters: parameters) }
            others.append(route.entry.endpoint.method)
        }
        return others.isEmpty ? .nothing : .otherMethods(others)
    }

    /// The operations of a path, with any method.
    func entries(at path: [String]) -> [OperationRegistry.Entry] {
        (routes[path.count] ?? []).filter { Self.parameters(of: $0, in: path) != nil }.map(\.entry)
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
