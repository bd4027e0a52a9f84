import Camera
import Foundation
import Imaging
import LivenessTestKit
import Testing

/// Folders that look like those of a machine.
private struct Machine {
    let root = NSTemporaryDirectory() + "catalog-\(UUID().uuidString)"
    var folders = CameraCatalog.Folders()

    init(nodes: [String]) throws {
        folders.nodes = root + "/dev"
        folders.links = root + "/dev/v4l/by-id"
        folders.facts = root + "/sys"
        try FileManager.default.createDirectory(atPath: folders.links, withIntermediateDirectories: true)
        for node in nodes { try Data().write(to: URL(fileURLWithPath: "\(folders.nodes)/\(node)")) }
    }

    func link(_ name: String, to node: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folders.links)/\(name)", withDestinationPath: "../../\(node)")
    }

    func fact(_ node: String, _ name: String, _ value: String) throws {
        let device = "\(folders.facts)/\(node)/device"
        try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
        try Data((value + "\n").utf8).write(to: URL(fileURLWithPath: "\(folders.facts)/\(node)/\(name)"))
    }

    func camera(_ node: String, _ card: String, driver: String = "uvcvideo") -> FakeCamera {
        var camera = FakeCamera()
        camera.node = "\(folders.nodes)/\(node)"
        camera.card = card
        camera.driver = driver
        camera.events = [.picture(FakePicture([0xFF, 0xD8]))]
        return camera
    }

    func catalog(_ cameras: [FakeCamera], _ change: (inout CameraSettings) -> Void = { _ in }) -> CameraCatalog {
        var settings = CameraSettings()
        change(&settings)
        return CameraCatalog(settings: settings, kernel: FakeKernel(cameras), folders: folders)
    }

    func remove() { try? FileManager.default.removeItem(atPath: root) }
}

@Suite struct CameraCatalogTests {
    @Test func `cameras are listed by number, with ids that outlive replugging`() throws {
        let machine = try Machine(nodes: ["video10", "video2", "video3", "vbi0", "videoX", "null"])
        defer { machine.remove() }
        try machine.link("usb-Maker_Camera_123-video-index0", to: "video2")
        try machine.fact("video10", "idVendor", "046d")
        try machine.fact("video10", "idProduct", "0825")
        try machine.fact("video10", "serial", "ABC 1")
        var metadata = machine.camera("video3", "Metadata")
        metadata.capabilities = 0x0480_0000
        let cameras = [machine.camera("video2", "One"), metadata, machine.camera("video10", "Two")]
        let list = try machine.catalog(cameras).list()
        #expect(list.map(\.id) == ["usb-Maker_Camera_123-video-index0", "046d:0825:ABC1"])
        #expect(list.map(\.name) == ["One", "Two"])
    }

    @Test func `without links and facts the bus is the id`() throws {
        let machine = try Machine(nodes: ["video0"])
        defer { machine.remove() }
        #expect(try machine.catalog([machine.camera("video0", "One")]).list().map(\.id) == ["usb-0000:00:14.0-1"])
    }

    @Test func `the only camera is opened without being named`() throws {
        let machine = try Machine(nodes: ["video0", "video1"])
        defer { machine.remove() }
        let cameras = [machine.camera("video0", "Loop", driver: "v4l2 loopback"), machine.camera("video1", "Real")]
        #expect(try machine.catalog(cameras).open(nil).description.name == "Real")
    }

    @Test func `a camera is found by id, name and node, and by the settings' choice`() throws {
        let machine = try Machine(nodes: ["video0", "video1"])
        defer { machine.remove() }
        try machine.link("usb-b-video-index0", to: "video1")
        let cameras = [machine.camera("video0", "A"), machine.camera("video1", "B")]
        for selector in ["usb-b-video-index0", "B", "\(machine.folders.nodes)/video1"] {
            #expect(try machine.catalog(cameras).open(selector).description.name == "B")
        }
        #expect(try machine.catalog(cameras) { $0.device = "B" }.open(nil).description.name == "B")
    }

    @Test func `none, several and an unknown one are camera_not_found, with what there is`() throws {
        let machine = try Machine(nodes: ["video0", "video1"])
        defer { machine.remove() }
        let cameras = [machine.camera("video0", "A"), machine.camera("video1", "B")]
        let several = #expect(throws: CameraError.self) { try machine.catalog(cameras).open(nil) }
        #expect(several?.fault == .notFound)
        #expect(several?.message.contains("several") == true)
        let unknown = #expect(throws: CameraError.self) { try machine.catalog(cameras).open("C") }
        #expect(unknown?.fault == .notFound)
        let empty = try Machine(nodes: [])
        defer { empty.remove() }
        #expect(#expect(throws: CameraError.self) { try empty.catalog([]).open(nil) }?.fault == .notFound)
    }

    @Test func `a camera that software plays is refused unless the settings allow it`() throws {
        let machine = try Machine(nodes: ["video0"])
        defer { machine.remove() }
        let cameras = [machine.camera("video0", "Loop", driver: "v4l2 loopback")]
        #expect(#expect(throws: CameraError.self) { try machine.catalog(cameras).open(nil) }?.fault == .virtual)
        let allowed = try machine.catalog(cameras) { $0.allowVirtual = true }.open(nil)
        #expect(allowed.description.kind == .virtual)
    }
}

@Suite struct ModeTests {
    /// The mode that is chosen of what a camera offers, by its first frame's layout.
    private func chosen(
        _ formats: [FakeCamera.Format], _ change: (inout CameraSettings) -> Void = { _ in }
    ) throws -> String {
        var camera = FakeCamera()
        camera.formats = formats
        camera.events = [.picture(FakePicture([0xFF, 0xD8]))]
        var settings = CameraSettings()
        change(&settings)
        let description = CameraDescription(id: "", name: "", node: camera.node, kind: .camera)
        let source = try V4L2Camera(description, settings: settings, kernel: FakeKernel([camera]))
        guard case .frame(let frame) = try source.next(timeout: .seconds(1)) else { return "none" }
        return "\(frame.layout.format.rawValue) \(frame.layout.width)x\(frame.layout.height)"
    }

    @Test func `enough pixels at full rate come before more pixels at a lower one`() throws {
        #expect(
            try chosen([.init("YUYV", 640, 480), .init("YUYV", 1280, 720, rates: [10]), .init("YUYV", 320, 240)])
                == "YUYV 640x480")
    }

    @Test func `JPEG gives more pixels where raw pictures don't reach the rate`() throws {
        #expect(try chosen([.init("YUYV", 1280, 720, rates: [10]), .init("MJPG", 1280, 720)]) == "MJPG 1280x720")
    }

    @Test func `colour comes before grey`() throws {
        #expect(try chosen([.init("GREY", 1280, 720), .init("MJPG", 640, 480)]) == "MJPG 640x480")
    }

    @Test func `pictures beyond 720 lines are not asked for`() throws {
        #expect(try chosen([.init("MJPG", sizes: [(3840, 2160), (1280, 720)])]) == "MJPG 1280x720")
    }

    @Test func `the settings' size and format come first`() throws {
        let formats: [FakeCamera.Format] = [
            .init("MJPG", sizes: [(1280, 720), (320, 240)]), .init("YUYV", 640, 480),
        ]
        #expect(
            try chosen(formats) {
                $0.width = 320
                $0.height = 240
            } == "MJPG 320x240")
        #expect(try chosen(formats) { $0.format = "YUYV" } == "YUYV 640x480")
    }

    @Test func `what nobody decodes is not chosen, and alone is refused with its names`() throws {
        #expect(try chosen([.init("H264", 1280, 720), .init("MJPG", 640, 480)]) == "MJPG 640x480")
        let error = #expect(throws: CameraError.self) { try chosen([.init("H264", 1280, 720)]) }
        #expect(error?.fault == .unsupportedFormat)
        #expect(error?.message.contains("H264") == true)
    }
}
