extension List {
    /// A list of which nothing is said but flags, each once and by its whole name: what people type most is here before the
    /// parser of all commands would have looked at their types, a quarter of the processor time of a whole `list`.
    /// - Parameter arguments: those after the program's name.
    /// - Returns: nil for whatever the parser has to read: it alone knows the other commands, options and mistakes.
    init?(plain arguments: some Sequence<String>) {
        // All options of both, for the parser is not there to give them a value: an option that is left out cannot be read.
        var (home, all, sync) = (Home(), false, false)
        (home.home, home.server, home.caFile) = (nil, nil, nil)
        (home.offline, home.json, home.plain) = (false, false, false)
        for (place, argument) in arguments.enumerated() {
            switch argument {
            case "list" where place == 0: break
            case "--offline" where !home.offline: home.offline = true
            case "--json" where !home.json: home.json = true
            case "--plain" where !home.plain: home.plain = true
            case "--all" where !all: all = true
            case "--sync" where !sync: sync = true
            default: return nil
            }
        }
        self.init()
        (self.home, self.all, self.sync) = (home, all, sync)
    }
}
