extension Duration {
    /// Seconds with three digits, for log lines: `3.025 s`.
    var secondsText: String { "\((self / .milliseconds(1)).rounded() / 1000) s" }
}
