import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads what is typed.
enum Prompt {
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// A line; nil at the end of the input.
    static func line(_ question: String) -> String? {
        Output.mutter(question)
        return readLine()
    }

    /// A password, which is not shown.
    static func password(_ question: String) -> String? {
        guard isInteractive else { return readLine() }
        var former = termios()
        guard tcgetattr(STDIN_FILENO, &former) == 0 else { return line(question) }
        var silent = former
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
            Output.mutter("\n")
        }
        return line(question)
    }
}
