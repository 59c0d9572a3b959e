import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackSQL
@testable import SubTrackServer

/// The declarations of areas, without a database.
@Suite("Declarations of areas", .ownTime)
struct AreaListTests {
    private static let tables = """
        {"tenant": {"Note": {"dependencies": [{"from": ["Note_ID"], "to": ["Text"], "why": "a note has one text"}]}}}
        """

    private func area(
        _ name: String, _ presence: AreaPresence = .off, files: [String: String] = [:]
    ) -> AreaSchema {
        let files = files.map { SQLFiles.File(path: "\(name)/\($0.key)", text: $0.value) }
        return AreaSchema(name: name, presence: presence, sql: AreaSQL(of: name, files: files))
    }

    @Test("An area is on where the operator said so, or where the service has it so and the operator said nothing")
    func presence() throws {
        let list = AreaList(areas: [area("base", .always), area("contacts", .on), area("music", .off)])
        #expect(list.names(in: list.standard) == ["base", "contacts"])
        #expect(list.names(in: list.on(["contacts": false, "music": true])) == ["base", "music"])
        #expect(list.names(in: list.on(["base": false, "unknown": true])) == ["base", "contacts"])
        #expect(try list.decisions(having: ["music"]) == ["contacts": false, "music": true])
        #expect(try list.decisions(having: []) == ["contacts": false, "music": false])
    }

    @Test("A decision about an unknown area, one of every tenant or one that is both is refused with the choice")
    func decisions() {
        let list = AreaList(areas: [area("base", .always), area("contacts", .on), area("music", .off)])
        func refusal(enabling: [String] = [], disabling: [String] = []) -> String {
            do {
                return "\(try list.decisions(enabling: enabling, disabling: disabling))"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            refusal(enabling: ["musik"]).contains(
                "no area \"musik\"; these can be switched on and off: contacts, music"))
        #expect(refusal(disabling: ["base"]).contains("base is on in every tenant"))
        #expect(refusal(enabling: ["music"], disabling: ["music"]).contains("on and off at the same time"))
        #expect(AreaListTests.fixedRefusal.contains("this version has no areas that can be switched"))
    }

    private static var fixedRefusal: String {
        do {
            return "\(try AreaList.none.decisions(enabling: ["music"], disabling: []))"
        } catch {
            return "\(error)"
        }
    }

    @Test("The areas of the service fit together")
    func ownAreas() {
        #expect(SubTrackService.standardAreas.inconsistencies.isEmpty)
    }

    @Test("A forgotten part of an area is said: its name, dependencies of its tables, a step before its triggers")
    func forgotten() {
        func faults(_ areas: AreaSchema...) -> [String] { AreaList(areas: areas).inconsistencies }
        let note = "CREATE TABLE IF NOT EXISTS Note (Note_ID INT PRIMARY KEY, Text INT);"
        #expect(faults(area("notes", files: ["0001_notes.sql": note, "dependencies.json": Self.tables])).isEmpty)

        #expect(faults(area("notes"), area("notes")) == ["the area notes is declared twice"])
        #expect(faults(area("tenant")).count == 1 && faults(area("my-notes")).count == 1 && faults(area("")).count == 1)
        #expect(
            faults(area("notes", files: ["0001_notes.sql": note]))
                == ["the area notes has tables and no sql/notes/dependencies.json"])
        #expect(
            faults(area("notes", files: ["0001_notes.sql": note, "dependencies.json": "{\"tenant\": {}}"]))
                == ["sql/notes/dependencies.json says nothing of the table Note"])
        let trigger = """
            DELIMITER //
            CREATE TRIGGER Note_insert BEFORE INSERT ON Note FOR EACH ROW SET NEW.Text = 1//
            """
        #expect(
            faults(area("notes", files: ["triggers/Note.sql": trigger]))
                == ["the area notes has SQL and no step sql/notes/0001_….sql"])
        #expect(
            faults(
                area(
                    "notes",
                    files: ["0001_notes.sql": note, "dependencies.json": Self.tables, "more/Note.sql": trigger]))
                == ["sql/notes/more/Note.sql is no step, no trigger and no view"])
        let other = area("other", files: ["0001_x.sql": note, "dependencies.json": Self.tables])
        #expect(
            faults(area("notes", files: ["0001_notes.sql": note, "dependencies.json": Self.tables]), other)
                == ["the table Note is made by two files"])
        #expect(
            faults(
                area(
                    "notes",
                    files: [
                        "0001_notes.sql": note, "dependencies.json": Self.tables, "triggers/Note.sql": trigger,
                        "triggers/Plan.sql": trigger,
                    ])) == ["the trigger note_insert is made by two files"])
    }
}
