import Foundation

/// The files of `web/`, compiled into the binary: comments of scripts and style sheets are left out.
public enum WebFolder {
    /// The files by their paths below `web/`: `js/app.js`.
    public static var files: [String: [UInt8]] {
        var files = embeddedTexts.mapValues { Array($0.utf8) }
        for (path, text) in embeddedBinaries { files[path] = Data(base64Encoded: text).map(Array.init) ?? [] }
        return files
    }

    /// The modules that each module imports, by path below `web/`.
    public static var imports: [String: [String]] { embeddedImports }
}
