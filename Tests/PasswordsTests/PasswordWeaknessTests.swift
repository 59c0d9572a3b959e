import Passwords
import TestTraits
import Testing

@Suite("Weak passwords", .ownTime)
struct PasswordWeaknessTests {
    @Test(
        "What is guessed first is recognised, in disguise too",
        arguments: [
            ("password", PasswordWeakness.common), ("Password1!", .common), ("p@55w0rd", .common),
            ("PASSWORT2024", .common),
            ("iloveyou", .common), ("123dragon123", .common), ("monkeymonkey", .common), ("Football!!", .common),
            ("ｐａｓｓｗｏｒｄ", .common), ("trustno1", .common), ("letmein!", .common), ("schatzi99", .common),
            ("12345678", .sequence), ("87654321", .sequence), ("qwertyuiop", .sequence), ("1qaz2wsx", .sequence),
            ("abcdefgh", .sequence), ("asdfghjk", .sequence), ("qwerty123456", .sequence), ("йцукенгш", .sequence),
            ("aaaaaaaa", .repeated), ("abababab", .repeated), ("abcdabcd", .repeated), ("11112222", .repeated),
            ("19900131", .date), ("31.01.1990", .date), ("01/31/1990", .date),
        ])
    func weak(password: String, weakness: PasswordWeakness) {
        #expect(PasswordWeakness.find(in: password) == weakness)
    }

    @Test(
        "What is not in any list's beginning is left alone",
        arguments: [
            "correct horse battery", "tr0ub4dor&3", "dragonfly over the lake", "xK9#mQ2$vL", "je mange des pommes",
            "密码是一只白色的猫",
            "🦄🦄🐴🐎🌈", "4815162342 lost", "99887766-20", "password manager of my aunt", "qwerty is not my keyboard",
        ])
    func strong(password: String) {
        #expect(PasswordWeakness.find(in: password) == nil)
    }

    @Test("The own address and name are no passwords, whatever the case and the digits around them")
    func personal() {
        let personal = ["Grace.Hopper@example.org", "Grace Hopper"]
        for own in ["grace.hopper@example.org", "Grace.Hopper1906", "grace hopper", "GRACE HOPPER!!"] {
            #expect(PasswordWeakness.find(in: own, personal: personal) == .personal, "\(own)")
        }
        #expect(PasswordWeakness.find(in: "amazing grace of the sea", personal: personal) == nil)
        #expect(PasswordWeakness.find(in: "ab and more than that", personal: ["ab@example.org", ""]) == nil)
    }

    @Test("Any text is looked at without trouble", arguments: 0..<200)
    func anyText(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let scalars = (0..<next(60)).compactMap { _ in Unicode.Scalar(UInt32(next(0x11_0000))) }
        let text = String(String.UnicodeScalarView(scalars))
        _ = PasswordWeakness.find(in: text, personal: [text, "@", ""])
        let piece = String((0...next(4)).map { _ in Array("abcdeXYZ0189-_ !")[next(16)] })
        #expect(PasswordWeakness.find(in: String(repeating: piece, count: 8)) == .repeated, "\(piece)")
    }
}
