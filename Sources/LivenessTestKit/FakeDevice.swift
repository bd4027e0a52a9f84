import CV4L2

/// A camera as it describes itself to the fake kernel, and what it films.
public struct FakeDevice: Sendable {
    /// The driver's name.
    public var driver = "uvcvideo"
    /// The name that the camera gives itself.
    public var card: String
    /// Where it is plugged in.
    public var bus = "usb-0000:00:14.0-1"
    /// V4L2_CAP_* of the node.
    public var abilities = UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING)
    /// What it offers, the driver's favourite first.
    public var formats: [FakeFormat]
    /// Bytes between the end of a row and the next.
    public var rowGap = 0
    /// How many buffers it gives whatever it is asked for; nil for as many as are wanted.
    public var bufferCount: Int?
    /// The frame of each number, counted from when the camera was plugged in; nil for silence from then on. Called
    /// under the kernel's lock: it must not call the kernel.
    public var frames: @Sendable (Int) -> ScriptedFrame?

    /// A USB webcam.
    public init(
        _ card: String = "Fake Webcam", formats: [FakeFormat] = [.mjpg()],
        frames: @escaping @Sendable (Int) -> ScriptedFrame? = { ScriptedFrame(ScriptedFrame.jpegLike($0)) }
    ) {
        self.card = card
        self.formats = formats
        self.frames = frames
    }

    /// A webcam that gives `script` once.
    public init(_ card: String = "Fake Webcam", formats: [FakeFormat] = [.mjpg()], script: [ScriptedFrame]) {
        self.init(card, formats: formats) { script.indices.contains($0) ? script[$0] : nil }
    }

    /// The second node of a UVC camera, which delivers no pictures: its driver has the ability, the node has not.
    public static func metadata() -> FakeDevice {
        var device = FakeDevice("Fake Webcam", formats: [], script: [])
        device.abilities = UInt32(V4L2_CAP_META_CAPTURE | V4L2_CAP_STREAMING)
        return device
    }
}

/// A pixel format that a fake camera offers.
public struct FakeFormat: Sendable {
    /// A picture's size and the frame rates it comes in.
    public struct Size: Sendable, Equatable {
        /// Pixels.
        public var width: Int
        /// Pixels.
        public var height: Int
        /// Frames a second; none where the driver doesn't tell.
        public var rates: [Int]

        /// All facts at once.
        public init(_ width: Int, _ height: Int, rates: [Int] = [30]) {
            self.width = width
            self.height = height
            self.rates = rates
        }
    }

    /// Sizes between two.
    public struct Steps: Sendable, Equatable {
        /// Pixels.
        public var least: Size
        /// Pixels.
        public var most: Size
        /// Pixels, both ways.
        public var step: Int

        /// All facts at once.
        public init(from least: Size, to most: Size, by step: Int) {
            self.least = least
            self.most = most
            self.step = step
        }
    }

    /// V4L2's name, four characters.
    public var code: String
    /// Each size that is offered.
    public var sizes: [Size]
    /// The sizes are these instead, where they are given.
    public var steps: Steps?
    /// V4L2_QUANTIZATION_*.
    public var quantization = V4L2_QUANTIZATION_DEFAULT.rawValue
    /// V4L2_COLORSPACE_*.
    public var colorspace = V4L2_COLORSPACE_SRGB.rawValue

    /// A format in the sizes given.
    public init(_ code: String, _ sizes: [Size] = [Size(640, 480)]) {
        self.code = code
        self.sizes = sizes
    }

    /// JPEG pictures in the sizes given.
    public static func mjpg(_ sizes: Size...) -> FakeFormat {
        FakeFormat("MJPG", sizes.isEmpty ? [Size(640, 480)] : sizes)
    }

    /// Packed 4:2:2 pictures in the sizes given.
    public static func yuyv(_ sizes: Size...) -> FakeFormat {
        FakeFormat("YUYV", sizes.isEmpty ? [Size(640, 480)] : sizes)
    }

    var fourCC: UInt32 { code.utf8.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    /// Bytes of a row in the first plane, 0 for compressed pictures, and bytes of a picture or the most it may have.
    func lengths(width: Int, height: Int, rowGap: Int) -> (row: Int, picture: Int) {
        switch code {
        case "YUYV", "UYVY", "Y16 ": (2 * width + rowGap, (2 * width + rowGap) * height)
        case "NV12", "YU12": (width + rowGap, (width + rowGap) * height * 3 / 2)
        case "GREY": (width + rowGap, (width + rowGap) * height)
        default: (0, 2 * width * height)
        }
    }

    /// The offered size that is nearest to the wish, as uvcvideo chooses it: by the difference in pixels.
    func nearest(width: Int, height: Int) -> Size {
        if let steps {
            let step = max(1, steps.step)
            func snapped(_ value: Int, _ least: Int, _ most: Int) -> Int {
                least + (min(max(value, least), most) - least) / step * step
            }
            return Size(
                snapped(width, steps.least.width, steps.most.width),
                snapped(height, steps.least.height, steps.most.height), rates: steps.most.rates)
        }
        return sizes.min { abs($0.width * $0.height - width * height) < abs($1.width * $1.height - width * height) }
            ?? Size(width, height)
    }
}
