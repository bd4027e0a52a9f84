import Imaging

/// A camera that a `FakeKernel` plays: what it says of itself, and what it delivers.
public struct FakeCamera: Sendable {
    /// A pixel format in the sizes that it comes in.
    public struct Format: Sendable {
        /// V4L2's four characters.
        public var name: String
        /// Width, height and frame rates of each size.
        public var sizes: [(width: Int, height: Int, rates: [Int])]

        /// Several sizes, each at 30 frames a second.
        public init(_ name: String, sizes: [(Int, Int)]) {
            self.name = name
            self.sizes = sizes.map { ($0.0, $0.1, [30]) }
        }

        /// One size.
        public init(_ name: String, _ width: Int, _ height: Int, rates: [Int] = [30]) {
            self.name = name
            sizes = [(width, height, rates)]
        }
    }

    /// What happens when the program waits for a picture.
    public enum Event: Sendable {
        /// A buffer is filled.
        case picture(FakePicture)
        /// `VIDIOC_DQBUF` fails.
        case failure(CInt)
        /// The device goes: `poll` tells POLLERR and POLLHUP, and every request fails with ENODEV.
        case unplugged
        /// So much time passes and nothing comes.
        case silence(Duration)
    }

    /// The device node.
    public var node = "/dev/video0"
    /// What VIDIOC_QUERYCAP tells.
    public var driver = "uvcvideo"
    /// What VIDIOC_QUERYCAP tells.
    public var card = "Test camera"
    /// What VIDIOC_QUERYCAP tells.
    public var bus = "usb-0000:00:14.0-1"
    /// `device_caps`: capturing and streaming.
    public var capabilities: UInt32 = 0x0400_0001
    /// What the enumerations tell.
    public var formats: [Format] = [Format("MJPG", 640, 480)]
    /// What VIDIOC_S_FMT gives whatever is asked for; nil for what is asked for.
    public var insistsOn: (name: String, width: Int, height: Int)?
    /// The size of each buffer, bytes.
    public var bufferSize = 64 * 1024
    /// Modes whose stream does not fit on the bus, by width.
    public var widestOnBus = Int.max
    /// What comes, in order; nothing comes after that.
    public var events: [Event] = []

    /// A USB camera that offers JPEG of 640 x 480 pixels.
    public init() {}
}

/// What a fake driver puts into a buffer.
public struct FakePicture: Sendable {
    /// The picture's bytes.
    public var bytes: [UInt8]
    /// The length that the driver tells; nil for the true one.
    public var bytesUsed: UInt32?
    /// The buffer that the driver names; nil for the true one.
    public var index: UInt32?
    /// V4L2_BUF_FLAG_ERROR.
    public var isFlagged = false
    /// The driver's stamp against the true time; nil for one that is not of the monotonic clock.
    public var stampOffset: Duration? = .zero
    /// Since the picture before.
    public var interval = Duration.milliseconds(33)

    /// A good picture that holds `bytes`.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// What a program did to a fake kernel, to be judged at the end.
public struct FakeKernelRecord: Sendable, Equatable {
    /// Descriptors that are open now.
    public var openDescriptors = 0
    /// Buffers that are mapped now.
    public var mappedBuffers = 0
    /// Whether a camera streams now: its light is on.
    public var isStreaming = false
    /// How many buffers the driver had at each wait, at least; nil before the first.
    public var fewestQueued: Int?
    /// Pictures that found no free buffer.
    public var dropped = 0
    /// Every request by its name, in order.
    public var requests: [String] = []

    /// Nothing yet.
    public init() {}
}
