import Passwords
import SubTrackAPI

/// Checks of passwords that people type. No problem repeats anything of them.
enum InputPassword {
    /// A password that is to be compared. One that is too short to be anybody's is wrong as any other is; one that is too
    /// long is not worth a comparison.
    static func presented(_ text: String, field: String) throws -> Password {
        do {
            return try Password(presented: text)
        } catch {
            throw Problem.input(field, .range, error.description)
        }
    }

    /// A password that somebody wants to have from now on.
    /// - Parameters:
    ///   - email: the account's address, which is no password.
    ///   - userName: the user's name, which is no password either.
    static func chosen(_ text: String, email: EmailAddress?, userName: String? = nil, field: String) throws -> Password
    {
        let password: Password
        do {
            password = try Password(text)
        } catch {
            throw Problem.input(field, .range, error.description)
        }
        let personal = [email?.text, userName].compactMap(\.self)
        if let weakness = PasswordWeakness.find(in: text, personal: personal) {
            throw Problem.input(field, .range, weakness.description)
        }
        return password
    }
}
