import SubTrackServer

extension SettingSources {
    /// A password from the environment or from a file, but not from both.
    func password(
        _ setting: Setting, file: Setting, flag: String?, of owner: String
    ) throws -> String? {
        let text = try self.text(setting)
        guard let path = try self.text(file, flag: flag) else { return text }
        guard text == nil else {
            throw SettingsError(
                "\(name(of: setting)) and \(name(of: file, flag: flag)) are both set; use one of them")
        }
        return try read(file, flag: flag) { _ in
            let password = try PasswordFile.read(path, what: "password of the \(owner)")
            guard !password.isEmpty else {
                throw SettingsError(
                    "the file of the password of the \(owner) is empty; write the password into it, or leave the setting out: \(path)"
                )
            }
            return password
        }
    }
}
