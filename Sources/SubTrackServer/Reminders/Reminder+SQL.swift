import MariaDB
import SubTrackCore

extension ReminderKind: SQLCodable {}

extension ReminderAnswer: SQLCodable {}
