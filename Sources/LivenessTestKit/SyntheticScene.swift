import Imaging

/// What stands behind a synthetic person.
public enum SyntheticBackground: Sendable, Equatable {
    /// The portrait's own backdrop, still.
    case backdrop
    /// A pattern that drifts by so many pixels a second to the right and downwards, and stops at `until`; zero for a
    /// still one.
    case pattern(drift: SIMD2<Double>, until: Duration = .seconds(3600))
}

/// The camera and the room that synthetic people are seen in.
public struct SyntheticScene: Sendable {
    /// Who can be seen, the nearest last; each has its pose.
    public var people: [SyntheticPortrait]
    /// Pixels, before `rotation`.
    public var width = 640
    /// Pixels, before `rotation`.
    public var height = 480
    /// Frames a second.
    public var frameRate = 30.0
    /// What is behind them.
    public var background = SyntheticBackground.backdrop
    /// Whether everybody wears glasses.
    public var glasses = false
    /// Standard deviation of the luma's noise, 0-255.
    public var noise = 2.0
    /// Radius of the blur, pixels.
    public var blur = 0
    /// Luma is multiplied by it.
    public var gain = 1.0
    /// Left and right are swapped.
    public var mirrored = false
    /// How the camera's pictures must be turned to be upright.
    public var rotation = Orientation.Rotation.none
    /// What noise and motion are drawn from.
    public var seed: UInt64 = 1

    /// A VGA camera at 30 frames a second that sees `people`.
    public init(_ people: [SyntheticPortrait]) {
        self.people = people
    }
}
