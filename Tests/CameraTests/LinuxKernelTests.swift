import CV4L2
import Glibc
import Platform
import Testing

@testable import Camera

/// The real kernel, as far as a machine without a camera shows it.
@Suite struct LinuxKernelTests {
    private let kernel = LinuxKernel()

    @Test func `opening tells why not by a negative errno`() {
        #expect(kernel.open("/nowhere/video0") == -ENOENT)
        #expect(kernel.open("/dev/null") == -ENOTTY)
        #expect(kernel.open("/dev/null/video0") == -ENOTDIR)
    }

    @Test func `a node that is no camera is not found`() {
        for path in ["/dev/null", "/nowhere/video0"] {
            let error = #expect(throws: SystemError.self) { _ = try V4L2Device(path, kernel: kernel) }
            #expect(error.map(CameraFault.init) == .notFound)
        }
    }

    @Test func `requests, mappings and closing of what isn't open fail`() {
        var answer = v4l2_capability()
        #expect(kernel.ioctl(-1, .queryCapability, &answer) == -EBADF)
        var start: UnsafeRawPointer?
        #expect(kernel.map(-1, length: 4096, offset: 0, start: &start) == -EBADF)
        #expect(start == nil)
        #expect(kernel.close(-1) == -EBADF)
    }

    @Test func `a poll sees what is readable`() throws {
        let wake = try WakeUp()
        var entry = pollfd(fd: wake.descriptor.number, events: Int16(POLLIN), revents: 0)
        withUnsafeMutablePointer(to: &entry) { entry in
            let entries = UnsafeMutableBufferPointer(start: entry, count: 1)
            #expect(kernel.poll(entries, milliseconds: 0) == 0)
            wake.signal()
            #expect(kernel.poll(entries, milliseconds: 10_000) == 1)
            #expect(entries[0].revents == Int16(POLLIN))
        }
    }

    @Test func `its clock is the monotonic one`() {
        let before = MonotonicClock.now
        let now = kernel.now
        #expect(before <= now && now <= MonotonicClock.now)
    }

    @Test func `a catalog of a machine without cameras is empty`() throws {
        let catalog = CameraCatalog(settings: CameraSettings(), devices: "/nowhere", sysfs: "/nowhere")
        #expect(try catalog.list().isEmpty)
    }
}
