/// A hint for a name that is not known: the known one that it was probably meant to be, or all of them.
func nearestName(to name: String, among known: some Collection<String>) -> String {
    let close = known.map { (name: $0, distance: editDistance(name, $0)) }
        .filter { $0.distance <= max(2, $0.name.count / 3) }
        .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    if let close { return "did you mean \"\(close.name)\"?" }
    return known.isEmpty ? "none is known here" : "known are " + known.sorted().joined(separator: ", ")
}

/// The number of characters to insert, delete or replace to turn `left` into `right` (Levenshtein), or a number that
/// is too large where the lengths differ too much for it to matter.
func editDistance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    guard abs(left.count - right.count) <= 16 else { return .max }
    var previous = Array(0...right.count)
    for (row, character) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            let replaced = previous[column] + (character == other ? 0 : 1)
            current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
        }
        previous = current
    }
    return previous[right.count]
}
