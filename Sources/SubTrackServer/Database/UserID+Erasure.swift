import MariaDB

extension UserID {
    /// The condition that the user was not deleted. The table has rows for moments: the condition costs one look at an empty
    /// index.
    var isNotErased: SQL {
        "NOT EXISTS (SELECT 1 FROM Erasure e WHERE e.User_ID = \(uuid))"
    }
}
