/// Rows of texts below each other, as wide as the terminal at the most.
struct Table {
    /// A column.
    struct Column {
        var title: String
        /// Whether its texts end below each other, as numbers do.
        var isNumber = false
        /// How much it may shrink: the fewest columns that it keeps. Numbers and days are never cut, and have none.
        var minimum = Int.max
        /// Whether its texts are cut in their middle where they must be.
        var keepsEnd = false
        /// Whether texts that differ are to differ when they are cut, too: other columns are left out before.
        var staysApart = false
        /// On a terminal that is too narrow even so, columns are left out, the highest first; 0 stays. Names are cut further
        /// before ``Table/important`` columns go.
        var rank = 0

        /// The fewest columns that it keeps where important ones would have to go.
        fileprivate var least: Int { minimum < .max ? min(minimum, 6) : .max }
    }

    /// A text and how it is shown.
    struct Cell {
        let text: String
        /// How many columns it takes.
        let width: Int
        var style: Terminal.Style?

        init(_ text: String, _ style: Terminal.Style? = nil) {
            let isPlain = Terminal.isPlain(text)
            self.text = isPlain ? text : Terminal.clean(text)
            width = isPlain ? text.utf8.count : Terminal.columns(self.text)
            self.style = style
        }
    }

    var columns: [Column]
    var rows: [[Cell]] = []
    /// The highest rank of columns without which a row says too little, such as the day and the length of a period.
    var important = 2

    /// The columns that there is room for, and how wide each is.
    private func layout(_ width: Int?) -> [(index: Int, width: Int)] {
        var layout = columns.indices.map { index in
            (
                index: index,
                width: rows.reduce(Terminal.columns(columns[index].title)) { max($0, $1[index].width) }
            )
        }
        // A column that says nothing takes no space.
        layout.removeAll { $0.width == 0 }
        guard let width else { return layout }
        func excess(_ least: (Column) -> Int) -> Int {
            layout.reduce(-2) { $0 + 2 + min($1.width, least(columns[$1.index])) } - width
        }
        guard excess({ _ in .max }) > 0 else { return layout }
        let apart = layout.filter { columns[$0.index].staysApart }.map { widthApart(of: $0.index, upTo: $0.width) }
            .max()
        func least(_ column: Column) -> Int { column.staysApart ? max(column.least, apart ?? 0) : column.least }
        while let last = layout.indices.max(by: { columns[layout[$0].index].rank < columns[layout[$1].index].rank }) {
            let rank = columns[layout[last].index].rank
            guard rank > 0, excess({ rank > important ? max($0.minimum, least($0)) : least($0) }) > 0 else {
                break
            }
            layout.remove(at: last)
        }
        // Names shrink, the widest first; where that is not enough, to a letter; and then numbers give way whole.
        let leasts: [(Column) -> Int] = [
            { max($0.minimum, least($0)) }, least, { $0.minimum < .max ? 1 : .max }, { _ in 1 },
        ]
        for least in leasts {
            for _ in 0..<max(0, excess { _ in .max }) {
                let shrinkable = layout.indices.filter { layout[$0].width > least(columns[layout[$0].index]) }
                guard let widest = shrinkable.max(by: { layout[$0].width < layout[$1].width }) else { break }
                layout[widest].width -= 1
            }
        }
        return layout
    }

    /// How many rows are compared: more do not fit on a screen.
    private static let compared = 200

    /// The fewest columns with which the texts of a column differ as they do in full.
    private func widthApart(of index: Int, upTo full: Int) -> Int {
        let cells = rows.prefix(Self.compared).map { $0[index] }
        let count = Set(cells.map(\.text)).count
        let fewest = columns[index].least
        guard fewest < full else { return full }
        return (fewest..<full).first { width in
            Set(cells.map { $0.width > width ? cut($0.text, to: width, in: columns[index]) : $0.text }).count == count
        } ?? full
    }

    /// Whether there is room for a column.
    func shows(_ column: Int, on terminal: Terminal) -> Bool {
        layout(terminal.width).contains { $0.index == column && $0.width > 0 }
    }

    private func cut(_ text: String, to width: Int, in column: Column) -> String {
        // The first digits of a number are another number.
        guard column.minimum < .max else { return "…" }
        return column.keepsEnd ? Terminal.cutInside(text, to: width) : Terminal.cut(text, to: width)
    }

    /// The lines of the table.
    func lines(on terminal: Terminal) -> [String] {
        let layout = self.layout(terminal.width)
        func line(_ cells: [Cell], _ style: Terminal.Style? = nil) -> String {
            var line: [UInt8] = []
            line.reserveCapacity(layout.reduce(0) { $0 + $1.width + 16 })
            for (place, (index, width)) in layout.enumerated() {
                let (cell, isLast) = (cells[index], place == layout.count - 1)
                let isCut = cell.width > width
                let text = isCut ? cut(cell.text, to: width, in: columns[index]) : cell.text
                let space = width - (isCut ? Terminal.columns(text) : cell.width)
                if columns[index].isNumber { line.append(spaces: space) }
                line.append(contentsOf: terminal.styled(text, cell.style ?? style).utf8)
                if !isLast { line.append(spaces: columns[index].isNumber ? 2 : space + 2) }
            }
            while line.last == UInt8(ascii: " ") { line.removeLast() }
            return String(decoding: line, as: UTF8.self)
        }
        // The beginning of a title is enough to know the column.
        let titles = columns.indices.map { index in
            Cell(Terminal.cut(columns[index].title, to: layout.first { $0.index == index }?.width ?? 0))
        }
        return [line(titles, .dim)] + rows.map { line($0) }
    }
}

extension [UInt8] {
    /// Appends so many spaces.
    fileprivate mutating func append(spaces count: Int) {
        append(contentsOf: repeatElement(UInt8(ascii: " "), count: Swift.max(0, count)))
    }
}
