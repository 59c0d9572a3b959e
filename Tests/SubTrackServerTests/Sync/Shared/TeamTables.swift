/// The tables of ``TeamsArea`` and their triggers, as an area has them in its folder of `sql/`.
enum TeamTables {
    /// Locks are taken in the order of the service: a user's scope before a team's. Every change of a membership raises the
    /// member's own counter. `Team_log` has what was stored, in its order, for tests to judge by.
    static let sql = """
        CREATE TABLE Team (
            Team_ID BINARY(16) NOT NULL, Team_name VARCHAR(100) NOT NULL, Ver BIGINT UNSIGNED NOT NULL DEFAULT 0,
            Ver_name BIGINT UNSIGNED NOT NULL DEFAULT 0, PRIMARY KEY (Team_ID)) ENGINE = InnoDB;
        CREATE TABLE Team_member (
            Member_ID BINARY(16) NOT NULL, Team_ID BINARY(16) NOT NULL, User_ID BINARY(16) NOT NULL,
            Ver BIGINT UNSIGNED NOT NULL DEFAULT 0, PRIMARY KEY (Member_ID), UNIQUE KEY Team_member_user (User_ID, Team_ID),
            KEY Team_member_feed (Team_ID, Ver)) ENGINE = InnoDB;
        CREATE TABLE Team_item (
            Item_ID BINARY(16) NOT NULL, Team_ID BINARY(16) NOT NULL, Item_name VARCHAR(100) NOT NULL,
            Amount VARCHAR(100) NOT NULL, Ver BIGINT UNSIGNED NOT NULL DEFAULT 0, Ver_name BIGINT UNSIGNED NOT NULL DEFAULT 0,
            Ver_amount BIGINT UNSIGNED NOT NULL DEFAULT 0, PRIMARY KEY (Item_ID), KEY Team_item_feed (Team_ID, Ver)) ENGINE = InnoDB;
        CREATE TABLE Team_log (
            Number BIGINT NOT NULL AUTO_INCREMENT, Kind VARCHAR(10) NOT NULL, Row_ID BINARY(16) NOT NULL,
            Other_ID BINARY(16) NULL, Value VARCHAR(100) NULL, Ver BIGINT UNSIGNED NOT NULL DEFAULT 0,
            PRIMARY KEY (Number), KEY Team_log_row (Row_ID)) ENGINE = InnoDB;

        DELIMITER //
        CREATE PROCEDURE Team_count(scope BINARY(16), OUT version BIGINT UNSIGNED)
        BEGIN
            INSERT INTO Scope (Scope_ID, Ver) VALUES (scope, 1) ON DUPLICATE KEY UPDATE Ver = Ver + 1;
            SELECT Ver INTO version FROM Scope WHERE Scope_ID = scope;
        END//
        CREATE TRIGGER Team_before_insert BEFORE INSERT ON Team FOR EACH ROW
        BEGIN
            CALL Team_count(NEW.Team_ID, NEW.Ver);
            SET NEW.Ver_name = NEW.Ver;
            INSERT INTO Team_log (Kind, Row_ID, Value, Ver) VALUES ('name', NEW.Team_ID, NEW.Team_name, NEW.Ver);
        END//
        CREATE TRIGGER Team_before_update BEFORE UPDATE ON Team FOR EACH ROW
        BEGIN
            CALL Team_count(NEW.Team_ID, NEW.Ver);
            SET NEW.Ver_name = NEW.Ver;
            INSERT INTO Team_log (Kind, Row_ID, Value, Ver) VALUES ('name', NEW.Team_ID, NEW.Team_name, NEW.Ver);
        END//
        CREATE TRIGGER Team_after_delete AFTER DELETE ON Team FOR EACH ROW
        BEGIN
            DECLARE version BIGINT UNSIGNED;
            CALL Team_count(OLD.Team_ID, version);
            INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
            VALUES (OLD.Team_ID, version, 91, OLD.Team_ID, UTC_TIMESTAMP());
        END//
        CREATE TRIGGER Team_member_before_insert BEFORE INSERT ON Team_member FOR EACH ROW
        BEGIN
            DECLARE own BIGINT UNSIGNED;
            CALL Team_count(NEW.User_ID, own);
            CALL Team_count(NEW.Team_ID, NEW.Ver);
            INSERT INTO Team_log (Kind, Row_ID, Other_ID, Ver) VALUES ('join', NEW.Team_ID, NEW.User_ID, NEW.Ver);
        END//
        CREATE TRIGGER Team_member_after_delete AFTER DELETE ON Team_member FOR EACH ROW
        BEGIN
            DECLARE own, version BIGINT UNSIGNED;
            CALL Team_count(OLD.User_ID, own);
            CALL Team_count(OLD.Team_ID, version);
            INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
            VALUES (OLD.Team_ID, version, 92, OLD.Member_ID, UTC_TIMESTAMP());
            INSERT INTO Team_log (Kind, Row_ID, Other_ID, Ver) VALUES ('leave', OLD.Team_ID, OLD.User_ID, version);
        END//
        CREATE TRIGGER Team_item_before_insert BEFORE INSERT ON Team_item FOR EACH ROW
        BEGIN
            CALL Team_count(NEW.Team_ID, NEW.Ver);
            SET NEW.Ver_name = NEW.Ver, NEW.Ver_amount = NEW.Ver;
            INSERT INTO Team_log (Kind, Row_ID, Value, Ver) VALUES
                ('name', NEW.Item_ID, NEW.Item_name, NEW.Ver), ('amount', NEW.Item_ID, NEW.Amount, NEW.Ver);
        END//
        CREATE TRIGGER Team_item_before_update BEFORE UPDATE ON Team_item FOR EACH ROW
        BEGIN
            CALL Team_count(NEW.Team_ID, NEW.Ver);
            SET NEW.Ver_name = IF(NEW.Item_name = OLD.Item_name, OLD.Ver_name, NEW.Ver),
                NEW.Ver_amount = IF(NEW.Amount = OLD.Amount, OLD.Ver_amount, NEW.Ver);
            IF NEW.Item_name <> OLD.Item_name THEN
                INSERT INTO Team_log (Kind, Row_ID, Value, Ver) VALUES ('name', NEW.Item_ID, NEW.Item_name, NEW.Ver);
            END IF;
            IF NEW.Amount <> OLD.Amount THEN
                INSERT INTO Team_log (Kind, Row_ID, Value, Ver) VALUES ('amount', NEW.Item_ID, NEW.Amount, NEW.Ver);
            END IF;
        END//
        CREATE TRIGGER Team_item_after_delete AFTER DELETE ON Team_item FOR EACH ROW
        BEGIN
            DECLARE version BIGINT UNSIGNED;
            CALL Team_count(OLD.Team_ID, version);
            INSERT INTO Tombstone (Scope_ID, Ver, Entity, Row_ID, Deleted_at)
            VALUES (OLD.Team_ID, version, 93, OLD.Item_ID, UTC_TIMESTAMP());
            INSERT INTO Team_log (Kind, Row_ID, Value, Ver) VALUES ('gone', OLD.Item_ID, NULL, version);
        END//
        DELIMITER ;
        """
}
