import FaceGeometry
import Imaging

/// Tells whether the camera itself moved, by the background round the person. One thread owns it.
///
/// Small copies of the last second's pictures are kept. Blocks of the newest one outside the person are looked for in
/// one from just before, which shows a camera that is swung, and in one from `reach` before, which shows one that creeps;
/// where most blocks that show anything went the same way, it was the camera. A person who walks behind moves the fewer
/// blocks. A blank wall shows nothing, and then nothing is said. A camera that turns by less than a pixel of the small
/// copy within `reach`, about a degree a second, is not noticed.
public final class CameraMotion {
    /// How far back the comparison looks.
    private static let reach = Duration.milliseconds(700)
    /// How often a small copy is kept.
    private static let spacing = Duration.milliseconds(90)
    /// A camera that has stopped counts as moving for so long: its arm still swings.
    private static let afterglow = Duration.milliseconds(300)
    /// Copies that are kept: `reach`, and one that is being overwritten.
    private static let capacity = 10
    /// Their width in pixels.
    private static let width = 112.0

    private struct Copy {
        var pixels: [UInt8] = []
        var width = 0
        var height = 0
        var time = Duration.zero
    }

    private var scaled = ScaledPicture()
    private var copies: [Copy] = []
    private var newest = 0
    private var lastMotion: Duration?

    /// Nothing is known of the camera yet.
    public init() {}

    /// Whether the camera moved in the time before `picture`, which was taken at `time` and shows `person`.
    public func hasMoved(in picture: Picture, person: TrackedFace?, at time: Duration) -> Bool {
        guard picture.width >= 160, picture.height >= 120 else { return false }
        picture.withGrey { view in
            let whole = FaceBox(left: 0, top: 0, width: Double(view.width), height: Double(view.height))
            scaled.take(whole, from: view, step: Double(view.width) / Self.width)
        }
        defer { keep(at: time) }
        let silhouette = person.map { Silhouette($0, scaled) }
        if differs(over: Self.spacing, before: time, outside: silhouette)
            || differs(over: Self.reach, before: time, outside: silhouette)
        {
            lastMotion = time
        }
        guard let lastMotion else { return false }
        return time >= lastMotion && time - lastMotion < Self.afterglow
    }

    private func differs(over age: Duration, before time: Duration, outside silhouette: Silhouette?) -> Bool {
        guard let reference = reference(for: time, age: age) else { return false }
        return scaled.withGrey { now in
            copies[reference].pixels.withUnsafeBufferPointer { memory in
                guard let start = memory.baseAddress else { return false }
                let before = GreyView(pixels: start, width: now.width, height: now.height, stride: now.width)
                return BlockVotes(now: now, before: before, avoiding: silhouette).agreeOnMotion
            }
        } ?? false
    }

    /// The youngest copy of that age and of the same size, or the oldest one where all are younger.
    private func reference(for time: Duration, age: Duration) -> Int? {
        var best: Int?
        for (index, copy) in copies.enumerated() {
            guard copy.width == scaled.width, copy.height == scaled.height, copy.time < time else { continue }
            guard let chosen = best else {
                best = index
                continue
            }
            let other = copies[chosen].time
            let (isOld, otherIsOld) = (time - copy.time >= age, time - other >= age)
            if isOld ? !otherIsOld || copy.time > other : !otherIsOld && copy.time < other { best = index }
        }
        return best
    }

    private func keep(at time: Duration) {
        if copies.isEmpty {
            copies = Array(repeating: Copy(), count: Self.capacity)
        } else if copies[newest].width > 0, time > copies[newest].time, time - copies[newest].time < Self.spacing {
            return
        }
        newest = (newest + 1) % copies.count
        let place = newest
        scaled.withGrey { view in
            let count = view.width * view.height
            if copies[place].pixels.count != count { copies[place].pixels = Array(repeating: 0, count: count) }
            copies[place].pixels.withUnsafeMutableBufferPointer { pixels in
                pixels.baseAddress?.update(from: view.pixels, count: count)
            }
            copies[place].width = view.width
            copies[place].height = view.height
        }
        copies[place].time = time
    }
}

/// Where the person is in a small copy: head, and shoulders below it.
private struct Silhouette {
    private let head: FaceBox
    private let body: FaceBox

    init(_ face: TrackedFace, _ scaled: ScaledPicture) {
        let outline = scaled.fromSource(face.landmarks.outline)
        let jaw = outline.width
        let centre = outline.centre.x
        let top = outline.top - 0.9 * jaw
        let chin = outline.top + outline.height
        head = FaceBox(left: centre - 1.1 * jaw, top: top, width: 2.2 * jaw, height: chin - top)
        body = FaceBox(left: centre - 2.2 * jaw, top: chin - 0.2 * jaw, width: 4.4 * jaw, height: 1e4)
    }

    func touches(x: Int, y: Int, size: Int) -> Bool {
        let block = FaceBox(left: Double(x), top: Double(y), width: Double(size), height: Double(size))
        return block.overlaps(head) || block.overlaps(body)
    }
}

extension FaceBox {
    fileprivate func overlaps(_ other: FaceBox) -> Bool {
        left < other.left + other.width && other.left < left + width && top < other.top + other.height
            && other.top < top + height
    }
}

/// Where the background's blocks went from one small copy to another.
private struct BlockVotes {
    private static let size = 8
    private static let spacing = 6
    /// How far a block is looked for, pixels to each side.
    private static let search = 5
    /// Mean difference from the block's mean below which it shows nothing but noise, luma.
    private static let leastTexture = 4
    /// Fewer blocks than this say nothing.
    private static let fewest = 6

    /// On one side of the picture.
    private struct Side {
        var informative = 0
        var moved = 0

        mutating func count(_ hasMoved: Bool) {
            informative += 1
            if hasMoved { moved += 1 }
        }

        /// Three of five informative blocks moved; a side of fewer than three says nothing against it.
        var agrees: Bool { informative < 3 || moved * 5 >= informative * 3 }
    }

    private var left = Side()
    private var right = Side()
    /// How often each displacement was found.
    private var found = InlineArray<121, Int>(repeating: 0)

    init(now: GreyView, before: GreyView, avoiding silhouette: Silhouette?) {
        let (size, search) = (Self.size, Self.search)
        for y in stride(from: search, to: now.height - size - search, by: Self.spacing) {
            for x in stride(from: search, to: now.width - size - search, by: Self.spacing) {
                if silhouette?.touches(x: x, y: y, size: size) == true { continue }
                vote(now, before, x, y)
            }
        }
    }

    /// Most blocks of either side moved, and most of those the same way. Whoever walks behind covers one side at a time.
    var agreeOnMotion: Bool {
        let moved = left.moved + right.moved
        guard left.informative + right.informative >= Self.fewest, moved > 0, left.agrees, right.agrees else {
            return false
        }
        return largestCluster * 3 >= moved * 2
    }

    private mutating func vote(_ now: GreyView, _ before: GreyView, _ x: Int, _ y: Int) {
        let mean = Self.mean(now, x, y)
        let texture = Self.difference(now, x, y, mean, nil, 0, 0, 0)
        guard texture >= Self.leastTexture * Self.size * Self.size else { return }
        var best = (cost: Int.max, dx: 0, dy: 0)
        var still = 0
        for dy in -Self.search...Self.search {
            for dx in -Self.search...Self.search {
                let other = Self.mean(before, x + dx, y + dy)
                let cost = Self.difference(now, x, y, mean, before, x + dx, y + dy, other)
                if dx == 0 && dy == 0 { still = cost }
                if cost < best.cost { best = (cost, dx, dy) }
            }
        }
        // A place that shows the same, and clearly better than the old one: noise alone does not halve the difference.
        let hasMoved = (best.dx != 0 || best.dy != 0) && best.cost * 2 < still && best.cost * 3 < texture
        if x + Self.size / 2 < now.width / 2 { left.count(hasMoved) } else { right.count(hasMoved) }
        guard hasMoved else { return }
        found[(best.dy + Self.search) * 11 + best.dx + Self.search] += 1
    }

    /// The most blocks whose displacements are within one pixel of each other.
    private var largestCluster: Int {
        var largest = 0
        for row in 0..<11 {
            for column in 0..<11 {
                var sum = 0
                for y in max(0, row - 1)...min(10, row + 1) {
                    for x in max(0, column - 1)...min(10, column + 1) { sum += found[y * 11 + x] }
                }
                largest = max(largest, sum)
            }
        }
        return largest
    }

    private static func mean(_ view: GreyView, _ x: Int, _ y: Int) -> Int {
        var sum = 0
        for row in 0..<size {
            let line = view.pixels + (y + row) * view.stride + x
            for column in 0..<size { sum += Int(line[column]) }
        }
        return sum / (size * size)
    }

    /// The sum of absolute differences between two blocks less their means, so that exposure does not matter; against
    /// the block's own mean where there is no other.
    private static func difference(
        _ view: GreyView, _ x: Int, _ y: Int, _ mean: Int, _ other: GreyView?, _ otherX: Int, _ otherY: Int,
        _ otherMean: Int
    ) -> Int {
        var sum = 0
        for row in 0..<size {
            let line = view.pixels + (y + row) * view.stride + x
            let otherLine = other.map { $0.pixels + (otherY + row) * $0.stride + otherX }
            for column in 0..<size {
                let value = Int(line[column]) - mean
                sum += abs(value - (otherLine.map { Int($0[column]) - otherMean } ?? 0))
            }
        }
        return sum
    }
}
