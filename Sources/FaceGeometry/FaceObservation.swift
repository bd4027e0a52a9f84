/// A point in a picture: pixels from the left and from the top, with fractions.
public typealias ImagePoint = SIMD2<Double>

/// The 68 points of the iBUG 300-W scheme: 0-16 jaw from the picture's left, 17-26 brows, 27-35 nose, 36-47 eyes,
/// 48-67 mouth.
public struct FaceLandmarks: Sendable {
    /// The number of points.
    public static let count = 68
    private var points: InlineArray<68, ImagePoint>

    /// All points at the origin.
    public init() {
        points = InlineArray(repeating: .zero)
    }

    /// The point with the scheme's number `index`.
    public subscript(index: Int) -> ImagePoint {
        get { points[index] }
        set { points[index] = newValue }
    }
}

/// A rectangle in a picture, in pixels.
public struct FaceBox: Sendable, Equatable {
    /// The left edge.
    public var left: Double
    /// The upper edge.
    public var top: Double
    /// To the right.
    public var width: Double
    /// Downwards.
    public var height: Double

    /// The rectangle of that size with its upper left corner there.
    public init(left: Double, top: Double, width: Double, height: Double) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }

    /// The middle of the rectangle.
    public var centre: ImagePoint { ImagePoint(left + width / 2, top + height / 2) }
}

/// What the face's part of the picture looks like.
public struct FaceQuality: Sendable, Equatable {
    /// Mean luma inside the face's outline, 0-255.
    public var brightness: Double
    /// Standard deviation of the luma there, 0-127.
    public var contrast: Double
    /// Variance of the Laplacian of the luma there, scaled to a face of 100 pixels' width; falls with blur.
    public var sharpness: Double

    /// All figures at once.
    public init(brightness: Double, contrast: Double, sharpness: Double) {
        self.brightness = brightness
        self.contrast = contrast
        self.sharpness = sharpness
    }
}

/// A face that was found and measured in one picture.
public struct TrackedFace: Sendable {
    /// Its points.
    public var landmarks: FaceLandmarks
    /// The detector's rectangle.
    public var box: FaceBox
    /// What its part of the picture looks like.
    public var quality: FaceQuality

    /// All facts at once.
    public init(landmarks: FaceLandmarks, box: FaceBox, quality: FaceQuality) {
        self.landmarks = landmarks
        self.box = box
        self.quality = quality
    }
}

/// Everything that the rules learn from one picture.
public struct FaceObservation: Sendable {
    /// When the picture was taken, on the source's monotonic clock.
    public var time: Duration
    /// Pixels of the upright picture.
    public var imageWidth: Double
    /// Pixels of the upright picture.
    public var imageHeight: Double
    /// The largest face; nil where none was found.
    public var face: TrackedFace?
    /// How many faces of a size near the largest one's are in the picture, itself included.
    public var comparableFaces: Int
    /// Mean luma of the whole picture, 0-255.
    public var pictureBrightness: Double
    /// Standard deviation of the luma of the whole picture, 0-127: near zero when something covers the lens.
    public var pictureContrast: Double
    /// Part of the picture is missing or wrong; nothing in it is credited.
    public var isDamaged: Bool
    /// The camera itself moved while the picture was taken; no turn in it is credited.
    public var cameraMoved: Bool

    /// All facts at once.
    public init(
        time: Duration, imageWidth: Double, imageHeight: Double, face: TrackedFace?, comparableFaces: Int,
        pictureBrightness: Double, pictureContrast: Double, isDamaged: Bool, cameraMoved: Bool
    ) {
        self.time = time
        self.imageWidth = imageWidth
        self.imageHeight = imageHeight
        self.face = face
        self.comparableFaces = comparableFaces
        self.pictureBrightness = pictureBrightness
        self.pictureContrast = pictureContrast
        self.isDamaged = isDamaged
        self.cameraMoved = cameraMoved
    }
}
