import Foundation
import SubTrackAPI

/// A place below `/dav/`.
enum DAVPath: Equatable {
    /// `/dav/`.
    case root
    /// `/dav/<user>/`, the user as a principal and the home of the collection.
    case home(UUID)
    /// `/dav/<user>/contacts/`.
    case collection(UUID)
    /// `/dav/<user>/contacts/<name>.vcf`.
    case card(UUID, name: String)

    /// The place of decoded segments; nil where there is none.
    init?(_ segments: [String]) {
        var segments = segments
        guard segments.first == "dav" else { return nil }
        // A collection's path may end with a slash or without.
        if segments.count > 1, segments.last?.isEmpty == true { segments.removeLast() }
        guard segments.count > 1 else {
            self = .root
            return
        }
        guard let user = UUID(uuidString: segments[1]) else { return nil }
        switch segments.count {
        case 2: self = .home(user)
        case 3 where segments[2] == "contacts": self = .collection(user)
        case 4 where segments[2] == "contacts":
            let file = segments[3]
            let name = file.lowercased().hasSuffix(".vcf") ? String(file.dropLast(4)) : file
            guard !name.isEmpty else { return nil }
            self = .card(user, name: name)
        default: return nil
        }
    }

    /// The user that the path names.
    var user: UUID? {
        switch self {
        case .root: nil
        case .home(let user), .collection(let user), .card(let user, _): user
        }
    }

    /// The path.
    /// - Parameter base: the tenant's, `/t/acme` or empty.
    func href(_ base: String) -> String {
        func id(_ user: UUID) -> String { user.uuidString.lowercased() }
        return switch self {
        case .root: "\(base)/dav/"
        case .home(let user): "\(base)/dav/\(id(user))/"
        case .collection(let user): "\(base)/dav/\(id(user))/contacts/"
        case .card(let user, let name): "\(base)/dav/\(id(user))/contacts/\(name.percentEncoded).vcf"
        }
    }

    /// The place that a request's XML names, which may be a whole URL; nil where it is none of this service.
    init?(href: String, slug: String?) {
        let path = String(RequestTarget.origin(of: href.trimmingCharacters(in: .whitespacesAndNewlines)).path)
        guard let target = try? RequestTarget(path), target.slug == slug else { return nil }
        self.init(target.segments)
    }
}
