import FoundationEssentials
import Glibc
import Platform

/// Where a node's identity is read beside the node itself.
struct CameraIdentity {
    /// The folder of device nodes, `/dev`.
    let devices: String
    /// The folder of what the kernel knows of them, `/sys/class/video4linux`.
    let sysfs: String

    /// A name that outlives replugging: the link that udev made, else what the USB device says of itself, else the
    /// port.
    func stableID(of node: String, _ capability: DeviceCapability) -> String {
        link(to: node) ?? usbID(of: node) ?? capability.bus
    }

    /// Whether software plays the camera: a driver that is known for it, or a device that hangs on no bus.
    func isVirtual(_ node: String, _ capability: DeviceCapability) -> Bool {
        if Self.virtualDrivers.contains(capability.driver) { return true }
        if Self.virtualDrivers.contains(where: { capability.bus.hasPrefix("platform:\($0)") }) { return true }
        return realPath("\(sysfs)/\(fileName(node))")?.contains("/devices/virtual/") ?? false
    }

    /// Drivers' names as VIDIOC_QUERYCAP tells them; v4l2loopback writes its own with a blank.
    private static let virtualDrivers: Set<String> = ["v4l2loopback", "v4l2 loopback", "vivid", "vimc", "akvcam"]

    /// The first by name of the links in `v4l/by-id` that lead to `node`.
    private func link(to node: String) -> String? {
        let folder = "\(devices)/v4l/by-id"
        // Without udev, and without any camera, there is no such folder.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard let target = realPath(node) else { return nil }
        return names.sorted().first { realPath("\(folder)/\($0)") == target }
    }

    /// `vid:pid[:serial]` of the USB device whose interface the node belongs to.
    private func usbID(of node: String) -> String? {
        // The kernel resolves the link before "..", which then leads from the interface to its device.
        let device = "\(sysfs)/\(fileName(node))/device/.."
        guard let vendor = attribute("\(device)/idVendor"), let product = attribute("\(device)/idProduct") else {
            return nil
        }
        let parts = [vendor, product, attribute("\(device)/serial")]
        return parts.compactMap { $0 }.joined(separator: ":")
    }

    /// nil for an attribute that is missing, can't be read or is empty: identity then rests on the next best.
    private func attribute(_ path: String) -> String? {
        guard let number = try? systemCall("open", { open(path, O_RDONLY | O_CLOEXEC) }),
            let bytes = try? MemoryFile.read(Descriptor(owning: number))
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).trimmed
        return text.isEmpty ? nil : text
    }
}

/// The path's last part.
func fileName(_ path: String) -> String {
    String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
}

/// The path without links; nil where it leads nowhere.
func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
