import FoundationEssentials

/// What stands in for `/dev` and `/sys/class/video4linux` beside a fake kernel: gone with its owner.
public final class FakeDeviceFolders: Sendable {
    /// The folder of nodes.
    public let devices: String
    /// The folder of what the kernel knows of them.
    public let sysfs: String

    private let root: String

    /// Empty folders in the temporary folder.
    ///
    /// - Throws: the errors of `FileManager`.
    public init() throws {
        // Links are compared by their real paths, and the temporary folder may itself be one.
        root = FileManager.default.temporaryDirectory.appending(path: "cameras-\(UUID().uuidString)").path
        devices = "\(root)/dev"
        sysfs = "\(root)/sys/class/video4linux"
        for folder in ["\(devices)/v4l/by-id", sysfs] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }

    deinit {
        // A folder that is left behind in the temporary one harms nobody.
        try? FileManager.default.removeItem(atPath: root)
    }

    /// Adds the node `videoNUMBER`, and the link `byID` to it, in place of one of that name.
    ///
    /// - Throws: the errors of `FileManager`.
    @discardableResult
    public func addNode(_ number: Int, byID: String? = nil) throws -> String {
        let node = "\(devices)/video\(number)"
        try Data().write(to: URL(filePath: node))
        if let byID {
            // Fails where there is none of that name yet.
            try? FileManager.default.removeItem(atPath: "\(devices)/v4l/by-id/\(byID)")
            try FileManager.default.createSymbolicLink(
                atPath: "\(devices)/v4l/by-id/\(byID)", withDestinationPath: "../../video\(number)")
        }
        return node
    }

    /// Takes the node away; links to it dangle.
    ///
    /// - Throws: the errors of `FileManager`.
    public func removeNode(_ number: Int) throws {
        try FileManager.default.removeItem(atPath: "\(devices)/video\(number)")
    }

    /// Adds what sysfs shows of a USB camera: the interface that the node belongs to, in the device's folder.
    ///
    /// - Throws: the errors of `FileManager`.
    public func addUSB(_ number: Int, vendor: String, product: String, serial: String? = nil) throws {
        let device = "\(root)/sys/devices/pci0000:00/usb1/1-\(number)"
        try addEntry(number, under: "\(device)/1-\(number):1.0")
        for (name, value) in [("idVendor", vendor), ("idProduct", product), ("serial", serial ?? "")]
        where !value.isEmpty {
            // sysfs ends its values with a line feed.
            try Data("\(value)\n".utf8).write(to: URL(filePath: "\(device)/\(name)"))
        }
    }

    /// Adds what sysfs shows of a camera that hangs on no bus.
    ///
    /// - Throws: the errors of `FileManager`.
    public func addVirtual(_ number: Int) throws {
        try addEntry(number, under: "\(root)/sys/devices/virtual")
    }

    private func addEntry(_ number: Int, under parent: String) throws {
        let entry = "\(parent)/video4linux/video\(number)"
        try FileManager.default.createDirectory(atPath: entry, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: "\(entry)/device", withDestinationPath: parent)
        try FileManager.default.createSymbolicLink(atPath: "\(sysfs)/video\(number)", withDestinationPath: entry)
    }
}
