import NIOHTTP1

/// The headers of every page and file of the web app.
enum WebHeaders {
    /// No script or style in a page, nothing of another host, and no text that becomes a script (Trusted Types).
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        + "manifest-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'; trusted-types templates worker"

    /// Headers of every page and file.
    static let page: HTTPHeaders = [
        "content-security-policy": policy, "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    ]
}
