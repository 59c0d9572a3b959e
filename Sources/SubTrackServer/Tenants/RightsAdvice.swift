import MariaDB

/// What to do when the database refuses work for want of a right or a setting, for which the server's own words name no remedy.
public enum RightsAdvice {
    /// Error numbers of MySQL's and MariaDB's server error reference: access denied (1044 database, 1045 account, 1142 table,
    /// 1143 column, 1227 privilege, 1370 routine), and binary logging without trust in who makes triggers (1419).
    private static let codes: Set<UInt32> = [1044, 1045, 1142, 1143, 1227, 1370, 1419]
    private static let advice =
        "subtrackd doctor, with the same settings, says what is missing and the statement that mends it"

    /// The doctor looks at servers with tenants by itself. One to which the first tenant is to come has to be named.
    private static func advice(lookingAt server: String) -> String {
        "subtrackd doctor --server '\(server)', with the same settings, says what is missing and the statement that mends it"
    }

    /// MySQL's error where tables are to be encrypted and there is no key for it.
    private static let noKey: UInt32 = 3185
    private static let keyAdvice =
        "default_table_encryption is ON, and the server has no key: install a keyring component, "
        + "or SET GLOBAL default_table_encryption = OFF;   -- and in the server's configuration"

    /// MariaDB refuses an account without TLS by the words for a wrong password.
    private static let tlsAdvice =
        "where the server takes TLS alone (require_secure_transport is ON, or the account has REQUIRE SSL): --database-ca-file FILE"

    /// Advice for the person who runs a command; nil where the error is of another kind.
    public static func of(_ error: any Error) -> String? {
        switch error {
        case let error as MariaDBError where error.code == 1045 && error.wasInClear: advice + ";\n" + tlsAdvice
        case let error as MariaDBError where codes.contains(error.code): advice
        case let error as MariaDBError where error.code == noKey: keyAdvice
        case let error as MariaDBError: SignInFault(error).map { "\($0.text):\n\($0.remedy)" }
        case let error as OnServer:
            of(error.error).map { $0.replacing(advice, with: advice(lookingAt: error.server)) }
        case let failure as MigrationFailure: of(failure.error)
        case is RightsCheck.Missing, is RightsCheck.Untrusted: advice
        default: nil
        }
    }
}
