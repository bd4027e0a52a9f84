import CV4L2
import Glibc
import Platform

/// The single-planar capture queue, the only one used here.
let captureType = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue

/// An open device node, closed with its owner at the latest. One thread owns it.
final class V4L2Device {
    let kernel: any V4L2Kernel
    let path: String
    private(set) var descriptor: CInt

    /// - Throws: `SystemError`.
    init(_ path: String, kernel: any V4L2Kernel) throws(SystemError) {
        self.kernel = kernel
        self.path = path
        descriptor = try Self.uninterrupted("open") { kernel.open(path) }
    }

    deinit {
        close()
    }

    /// Safe to call twice.
    func close() {
        guard descriptor >= 0 else { return }
        // The descriptor is gone whatever the result, and the device is not used any more.
        _ = kernel.close(descriptor)
        descriptor = -1
    }

    /// Runs a request on its struct, one that C declares.
    ///
    /// - Throws: `SystemError`, its call named as the request.
    func call<Argument>(_ request: V4L2Request, _ argument: inout Argument) throws(SystemError) {
        let (kernel, descriptor) = (kernel, descriptor)
        try Self.uninterrupted(request.name) {
            withUnsafeMutablePointer(to: &argument) { kernel.ioctl(descriptor, request, $0) }
        }
    }

    /// Maps the buffer at `offset`.
    ///
    /// - Throws: `SystemError`.
    func map(length: Int, offset: UInt32) throws(SystemError) -> UnsafeRawBufferPointer {
        var start: UnsafeRawPointer?
        try Self.uninterrupted("mmap") {
            kernel.map(descriptor, length: length, offset: Int64(offset), start: &start)
        }
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : length)
    }

    /// The events of the device and whether `wake` is readable, waited for at most `timeout`.
    ///
    /// - Throws: `SystemError`.
    func wait(_ timeout: Duration, wake: CInt) throws(SystemError) -> (events: CInt, woken: Bool) {
        let nanoseconds = max(0, timeout.wholeNanoseconds)
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // Rounded up: a wait of less than a millisecond must not turn into none at all.
        let milliseconds = CInt(clamping: whole + (rest > 0 ? 1 : 0))
        var entries: InlineArray<2, pollfd> = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        let kernel = kernel
        try Self.uninterrupted("poll") {
            var span = entries.mutableSpan
            return span.withUnsafeMutableBufferPointer { kernel.poll($0, milliseconds: milliseconds) }
        }
        return (CInt(entries[0].revents), entries[1].revents != 0)
    }

    /// How often a call that a signal interrupted is run again. Signals don't come in such numbers.
    private static let attempts = 16

    /// Runs a call again after EINTR, and after nothing else.
    @discardableResult
    private static func uninterrupted(_ name: String, _ body: () -> CInt) throws(SystemError) -> CInt {
        var result = body()
        for _ in 1..<attempts where result == -EINTR { result = body() }
        if result < 0 { throw SystemError(call: name, errno: -result) }
        return result
    }
}

extension V4L2Device {
    /// Runs `body`, whose failed call is told as a fault of the camera.
    ///
    /// - Throws: `CameraError`.
    func reporting<Result>(_ body: () throws(SystemError) -> Result) throws(CameraError) -> Result {
        do {
            return try body()
        } catch {
            throw CameraError(error, node: path)
        }
    }

    /// What the node is and can do.
    ///
    /// - Throws: `SystemError`.
    func capability() throws(SystemError) -> DeviceCapability {
        var answer = v4l2_capability()
        try call(.queryCapability, &answer)
        return DeviceCapability(answer)
    }
}

/// A device node's identity and abilities.
struct DeviceCapability: Equatable {
    let driver: String
    let card: String
    let bus: String
    private let abilities: UInt32

    init(_ answer: v4l2_capability) {
        driver = text(answer.driver)
        card = text(answer.card)
        bus = text(answer.bus_info)
        // `capabilities` is the whole driver's: a metadata node shares it with the camera's node.
        let own = answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        abilities = own ? answer.device_caps : answer.capabilities
    }

    /// Whether pictures can be captured from this node: not so for metadata, output and memory-to-memory nodes.
    var isCamera: Bool {
        let transforms = UInt32(V4L2_CAP_VIDEO_M2M | V4L2_CAP_VIDEO_M2M_MPLANE)
        return abilities & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 && abilities & transforms == 0
    }

    /// Whether the node captures into mapped buffers.
    var canStream: Bool { abilities & UInt32(V4L2_CAP_STREAMING) != 0 }
}

/// The text in a C array that may lack its NUL.
func text<Array>(_ array: Array) -> String {
    withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
