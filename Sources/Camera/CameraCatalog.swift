import FoundationEssentials
import Platform

/// The machine's cameras.
public struct CameraCatalog: FrameSourceProvider {
    /// Where devices are looked for.
    public struct Folders: Sendable {
        /// Device nodes.
        public var nodes = "/dev"
        /// udev's links by serial number.
        public var links = "/dev/v4l/by-id"
        /// What the kernel tells of each node.
        public var facts = "/sys/class/video4linux"

        /// Those of the running system.
        public init() {}
    }

    private let settings: CameraSettings
    private let kernel: any V4L2Kernel
    private let folders: Folders

    /// The cameras that `kernel` shows, used as `settings` say.
    public init(
        settings: CameraSettings, kernel: any V4L2Kernel = LinuxKernel(), folders: Folders = Folders()
    ) {
        self.settings = settings
        self.kernel = kernel
        self.folders = folders
    }

    /// Every node that pictures can be captured from, in the order of their numbers.
    ///
    /// - Throws: nothing; a node that can't be opened is listed by its number, so that one sees it is there.
    public func list() throws(CameraError) -> [CameraDescription] {
        let names = entries(of: folders.nodes).filter { name in
            name.hasPrefix("video") && Int(name.dropFirst(5)) != nil
        }
        return names.sorted { (Int($0.dropFirst(5)) ?? 0) < (Int($1.dropFirst(5)) ?? 0) }.compactMap(describe)
    }

    /// Opens the camera that `selector` names, else the settings' one, else the only one.
    ///
    /// - Throws: `CameraError`.
    public func open(_ selector: String?) throws(CameraError) -> any FrameSource {
        let camera = try choose(selector ?? (settings.device.isEmpty ? nil : settings.device))
        guard camera.kind != .virtual || settings.allowVirtual else {
            throw CameraError(
                .virtual, "\(camera.node) (\(camera.name)) is played by software, and allow_virtual is not set")
        }
        return try V4L2Camera(camera, settings: settings, kernel: kernel)
    }

    private func choose(_ selector: String?) throws(CameraError) -> CameraDescription {
        let cameras = try list()
        let ids = cameras.map(\.id).joined(separator: ", ")
        if let selector {
            if let named = cameras.first(where: { [$0.id, $0.name, $0.node].contains(selector) }) { return named }
            throw CameraError(.notFound, "no camera \(selector); there are: \(ids.isEmpty ? "none" : ids)")
        }
        let real = cameras.filter { $0.kind == .camera }
        let usable = real.isEmpty ? cameras : real
        guard let first = usable.first else { throw CameraError(.notFound, "no camera is connected") }
        guard usable.count == 1 else {
            throw CameraError(.notFound, "several cameras are connected; name one in [camera] device: \(ids)")
        }
        return first
    }

    private func describe(_ name: String) -> CameraDescription? {
        let node = "\(folders.nodes)/\(name)"
        let capability: DeviceCapability
        do throws(SystemError) {
            capability = try V4L2Device(node, kernel: kernel).capability()
        } catch {
            return CameraDescription(id: name, name: "\(error)", node: node, kind: .camera)
        }
        guard capability.isCamera else { return nil }
        return CameraDescription(
            id: link(to: name) ?? usbIdentity(of: name) ?? capability.bus, name: capability.card, node: node,
            kind: capability.isVirtual ? .virtual : .camera)
    }

    private func link(to name: String) -> String? {
        entries(of: folders.links).sorted().first { link in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folders.links)/\(link)")
            return target?.split(separator: "/").last.map(String.init) == name
        }
    }

    /// `vendor:product[:serial]` of the USB device whose interface the node belongs to.
    private func usbIdentity(of name: String) -> String? {
        let parts = ["idVendor", "idProduct", "serial"].map { fact in
            FileManager.default.contents(atPath: "\(folders.facts)/\(name)/device/../\(fact)").map {
                String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace }
            }
        }
        guard let vendor = parts[0], let product = parts[1] else { return nil }
        return [vendor, product, parts[2]].compactMap { $0 }.joined(separator: ":")
    }

    /// Nothing where the folder is not there: a machine without cameras has none of them.
    private func entries(of folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}

extension DeviceCapability {
    /// Whether software plays the camera: what such drivers call themselves.
    fileprivate var isVirtual: Bool { ["v4l2 loopback", "vivid", "vimc", "akvcam"].contains(driver) }
}
