import TestTraits

extension Array {
    /// One of the elements, of which there must be some.
    package func picked(_ random: inout SeededGenerator) -> Element {
        self[Int.random(in: indices, using: &random)]
    }
}
