import Foundation
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What happens to an account between the moment in which it is read and the one in which its password is known to be right.
@Suite("Accounts that change while a password is compared", .ownTime)
struct AccountRaceTests {
    /// The encoded hash of a password, with few rounds.
    private func encoded(_ password: String, rounds: Int = 1000) throws -> String {
        try PasswordHash(of: Password(password), iterations: rounds).encoded
    }

    private func set(_ password: String, of email: String, _ service: TestService) async throws {
        try await service.database.run("UPDATE Account SET Password = '\(password)' WHERE Email = '\(email)'")
    }

    private func sessions(of user: UUID, _ service: TestService) async throws -> String {
        try await service.database.run(
            """
            SELECT COUNT(*) FROM Session s JOIN Device d ON d.Device_ID = s.Device_ID
            WHERE d.User_ID = UNHEX(REPLACE('\(user.uuidString)', '-', ''))
            """)
    }

    @Test("A password that is changed while it is compared opens no session, also where its hash is made anew")
    func changed() async throws {
        let held = HeldHasher()
        try await TestService.run(configure: { $0.passwordHasher = held.hasher }) { service in
            for rounds in [1000, 500] {
                let ada = try await service.newUser()
                let email = service.newEmail()
                try await ada.register(email)
                try await set(encoded(goodPassword, rounds: rounds), of: email, service)
                let other = try encoded("another good one")
                let answer = try await held.holding {
                    try await service.client.response(to: CreateSession(email: email, password: goodPassword))
                } meanwhile: {
                    try await set(other, of: email, service)
                }
                #expect(answer.status == 401, "\(answer.text)")
                #expect(try answer.problem().code == .credentialsInvalid)
                #expect(try await sessions(of: ada.user.id, service) == "1\n")
                let stored = try await service.database.run("SELECT Password FROM Account WHERE Email = '\(email)'")
                #expect(stored == other + "\n", "nor is the old one put back")
                _ = try await service.signIn(email, "another good one")
            }
        }
    }

    @Test("A hash that another sign-in made anew meanwhile is the same password: it opens a session")
    func rehashedMeanwhile() async throws {
        let held = HeldHasher()
        try await TestService.run(configure: { $0.passwordHasher = held.hasher }) { service in
            let email = service.newEmail()
            try await service.newUser().register(email)
            let again = try encoded(goodPassword)
            let answer = try await held.holding {
                try await service.client.response(to: CreateSession(email: email, password: goodPassword))
            } meanwhile: {
                try await set(again, of: email, service)
            }
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test("An account that leads to somebody else meanwhile gets no other address")
    func changeEmail() async throws {
        let held = HeldHasher()
        try await TestService.run(configure: { $0.passwordHasher = held.hasher }) { service in
            let ada = try await service.newUser()
            let bob = try await service.newUser()
            let email = service.newEmail()
            let new = service.newEmail("new")
            try await ada.register(email)
            let change = ChangeEmail(email: email, newEmail: new, currentPassword: goodPassword)
            let taken = try await held.holding {
                try await ada.client.response(to: change)
            } meanwhile: {
                try await service.database.run(
                    "UPDATE Account SET User_ID = UNHEX(REPLACE('\(bob.user.id.uuidString)', '-', '')) WHERE Email = '\(email)'"
                )
            }
            #expect(taken.status == 401, "\(taken.text)")
            #expect(try await service.database.run("SELECT COUNT(*) FROM Account WHERE Email = '\(new)'") == "0\n")
            try await service.database.run(
                "UPDATE Account SET User_ID = UNHEX(REPLACE('\(ada.user.id.uuidString)', '-', '')) WHERE Email = '\(email)'"
            )
            let other = try encoded("another good one")
            let changed = try await held.holding {
                try await ada.client.response(to: change)
            } meanwhile: {
                try await set(other, of: email, service)
            }
            #expect(changed.status == 401, "\(changed.text)")
            #expect(try await service.database.run("SELECT COUNT(*) FROM Account WHERE Email = '\(email)'") == "1\n")
        }
    }

    @Test("A user whose password is changed meanwhile is not deleted by the old one")
    func delete() async throws {
        let held = HeldHasher()
        try await TestService.run(configure: { $0.passwordHasher = held.hasher }) { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let other = try encoded("another good one")
            let answer = try await held.holding {
                try await ada.client.response(to: DeleteMe(currentPassword: goodPassword))
            } meanwhile: {
                try await set(other, of: email, service)
            }
            #expect(answer.status == 409, "\(answer.text)")
            #expect(try answer.problem().code == .statusConflict)
            #expect(try await service.signIn(email, "another good one").user.id == ada.user.id)
        }
    }

    @Test("An account that came meanwhile was confirmed by nobody: no second one is added beside it")
    func secondAccount() async throws {
        let held = HeldHasher()
        try await TestService.run(configure: { $0.passwordHasher = held.hasher }) { service in
            let ada = try await service.newUser()
            let (first, second) = (service.newEmail("first"), service.newEmail("second"))
            let other = try encoded("another good one")
            let answer = try await held.holding {
                try await ada.client.response(
                    to: RegisterAccount(email: second, password: goodPassword, currentPassword: "made up by a guest"))
            } meanwhile: {
                try await service.database.run(
                    """
                    INSERT INTO Account (Email, Password, User_ID)
                    VALUES ('\(first)', '\(other)', UNHEX(REPLACE('\(ada.user.id.uuidString)', '-', '')))
                    """)
            }
            #expect(answer.status == 409, "\(answer.text)")
            #expect(try answer.problem().code == .statusConflict)
            #expect(try await service.database.run("SELECT COUNT(*) FROM Account WHERE Email = '\(second)'") == "0\n")
        }
    }
}
