import Glibc
import LivenessTestKit
import Platform
import Testing

@testable import Camera

@Suite struct CameraCatalogTests {
    private let kernel = FakeKernel()
    private let folders: FakeDeviceFolders

    init() throws {
        folders = try FakeDeviceFolders()
    }

    private func catalog(_ change: (inout CameraSettings) -> Void = { _ in }) -> CameraCatalog {
        var settings = CameraSettings()
        change(&settings)
        return CameraCatalog(settings: settings, kernel: kernel, devices: folders.devices, sysfs: folders.sysfs)
    }

    @discardableResult
    private func plug(_ device: FakeDevice, _ number: Int, byID: String? = nil) throws -> String {
        let node = try folders.addNode(number, byID: byID)
        kernel.plug(device, at: node)
        return node
    }

    private func refusal(_ selector: String? = nil, of catalog: CameraCatalog) throws -> CameraError {
        try #require(throws: CameraError.self) { _ = try catalog.open(selector) }
    }

    @Test func `the id is the link that udev made`() throws {
        let node = try plug(FakeDevice("Fake Webcam"), 0, byID: "usb-046d_C920_1A2B-video-index0")
        try folders.addUSB(0, vendor: "046d", product: "082d")
        let expected = CameraDescription(
            id: "usb-046d_C920_1A2B-video-index0", name: "Fake Webcam", node: node, kind: .camera)
        #expect(try catalog().list() == [expected])
    }

    @Test func `without a link the id is the USB device's, and without that the port`() throws {
        try plug(FakeDevice(), 0)
        try folders.addUSB(0, vendor: "046d", product: "082d", serial: "1A2B")
        try plug(FakeDevice(), 1)
        try folders.addUSB(1, vendor: "0c45", product: "6366")
        try plug(FakeDevice(), 2)
        #expect(try catalog().list().map(\.id) == ["046d:082d:1A2B", "0c45:6366", "usb-0000:00:14.0-1"])
    }

    @Test func `a link that dangles or leads elsewhere is nobody's id`() throws {
        try plug(FakeDevice(), 0, byID: "usb-gone-index0")
        try plug(FakeDevice(), 1, byID: "usb-here-index0")
        kernel.unplug("\(folders.devices)/video0")
        try folders.removeNode(0)
        #expect(try catalog().list().map(\.id) == ["usb-here-index0"])
    }

    @Test func `nodes are listed by number, and only those that capture pictures`() throws {
        try plug(FakeDevice("ten"), 10)
        try plug(FakeDevice("two"), 2)
        try plug(.metadata(), 3)
        _ = try folders.addNode(4)
        #expect(try catalog().list().map(\.name) == ["two", "ten"])
        #expect(kernel.ledger.openDescriptors == 0)
    }

    @Test func `no camera is an empty list and can't be opened`() throws {
        #expect(try catalog().list().isEmpty)
        #expect(try refusal(of: catalog()) == CameraError(.notFound, "no camera is connected"))
        try plug(.metadata(), 0)
        #expect(try refusal("video0", of: catalog()).fault == .notFound)
    }

    @Test func `the only camera needs no name`() throws {
        try plug(FakeDevice("one"), 0)
        try plug(.metadata(), 1)
        let source = try catalog().open(nil)
        #expect(source.description.name == "one")
        #expect(try source.frame().sequence == 0)
        source.close()
        #expect(kernel.ledger.isClean)
    }

    @Test func `of several cameras one must be named, and the message lists them`() throws {
        try plug(FakeDevice("left"), 0, byID: "usb-left")
        try plug(FakeDevice("right"), 1, byID: "usb-right")
        let error = try refusal(of: catalog())
        #expect(error.fault == .notFound)
        #expect(error.message.contains("usb-left") && error.message.contains("usb-right"))
        #expect(kernel.ledger.isClean)
    }

    @Test func `a camera is opened by id, name, node or a link to the node`() throws {
        try plug(FakeDevice("left"), 0, byID: "usb-left")
        let node = try plug(FakeDevice("right"), 1, byID: "usb-right")
        for selector in ["usb-right", "right", node, "\(folders.devices)/v4l/by-id/usb-right"] {
            #expect(try catalog().open(selector).description.name == "right", "\(selector)")
        }
        #expect(try catalog { $0.device = "usb-right" }.open(nil).description.name == "right")
        #expect(try catalog { $0.device = "usb-right" }.open("left").description.name == "left")
        #expect(kernel.ledger.isClean)
    }

    @Test func `a name that fits none or several is not found, and the message says what there is`() throws {
        try plug(FakeDevice("twin"), 0, byID: "usb-a")
        try plug(FakeDevice("twin"), 1, byID: "usb-b")
        let several = try refusal("twin", of: catalog())
        #expect(several.fault == .notFound && several.message.contains("usb-a") && several.message.contains("usb-b"))
        let none = try refusal("usb-c", of: catalog())
        #expect(none.fault == .notFound && none.message.contains("usb-a"))
    }

    @Test func `a camera is found under another node after it was plugged in again`() throws {
        try plug(FakeDevice(), 0, byID: "usb-a")
        let catalog = catalog { $0.device = "usb-a" }
        try catalog.open(nil).close()
        kernel.unplug("\(folders.devices)/video0")
        try folders.removeNode(0)
        #expect(try refusal(of: catalog).fault == .notFound)
        let node = try plug(FakeDevice(), 2, byID: "usb-a")
        #expect(try catalog.open(nil).description.node == node)
    }

    @Test(arguments: [
        ("v4l2 loopback", "platform:v4l2loopback-000"), ("vivid", "platform:vivid-000"),
        ("other", "platform:vivid-001"),
    ])
    func `a camera that software plays is listed as virtual and opened only where that is allowed`(
        driver: String, bus: String
    ) throws {
        var device = FakeDevice("Loopback")
        device.driver = driver
        device.bus = bus
        let node = try plug(device, 0)
        #expect(try catalog().list().map(\.kind) == [.virtual])
        for selector in [nil, "Loopback", node] {
            #expect(try refusal(selector, of: catalog()).fault == .virtual)
        }
        #expect(kernel.records.count { $0.call == .request(.streamOn) } == 0)
        #expect(try catalog { $0.allowVirtual = true }.open(nil).description.kind == .virtual)
    }

    @Test func `a camera on no bus is virtual whatever it calls itself`() throws {
        try plug(FakeDevice("HD Pro Webcam C920"), 0)
        try folders.addVirtual(0)
        #expect(try catalog().list().map(\.kind) == [.virtual])
        #expect(try refusal(of: catalog()).fault == .virtual)
    }

    @Test func `a virtual camera does not make the real one ambiguous`() throws {
        try plug(FakeDevice("real"), 1)
        var device = FakeDevice("played")
        device.driver = "vivid"
        try plug(device, 0)
        #expect(try catalog().open(nil).description.name == "real")
        #expect(try refusal(of: catalog { $0.allowVirtual = true }).fault == .notFound)
    }

    @Test func `a camera that may not be opened or is held by another program is told as such`() throws {
        let node = try plug(FakeDevice(), 0)
        for (errno, fault) in [(EACCES, CameraFault.denied), (EBUSY, .busy)] {
            for selector in [nil, node, "usb-unknown"] {
                kernel.fail(.open, with: errno)
                #expect(try refusal(selector, of: catalog()).fault == fault)
            }
            kernel.fail(.open, with: errno)
            let error = try #require(throws: CameraError.self) { _ = try catalog().list() }
            #expect(error.fault == fault)
        }
    }

    @Test func `a node that may not be opened hides no other camera`() throws {
        let closed = try plug(FakeDevice("closed"), 0)
        try plug(FakeDevice("free"), 1)
        kernel.fail(.open, with: EACCES, times: .max, on: closed)
        #expect(try catalog().list().map(\.name) == ["free"])
        #expect(try catalog().open(nil).description.name == "free")
        #expect(try refusal(closed, of: catalog()).fault == .denied)
    }

    @Test func `no node is opened twice for one camera`() throws {
        try plug(FakeDevice("left"), 0)
        try plug(FakeDevice("right"), 1)
        let source = try catalog().open("right")
        #expect(kernel.records.count { $0.call == .open } == 2)
        #expect(kernel.ledger.openDescriptors == 1)
        source.close()
        #expect(kernel.ledger.isClean)
    }
}
