import FoundationEssentials
import Glibc
import Platform

/// The machine's cameras: every node `/dev/video*` that captures pictures.
public struct CameraCatalog: FrameSourceProvider {
    private let settings: CameraSettings
    private let kernel: any V4L2Kernel
    private let identity: CameraIdentity

    /// A catalog of the cameras that `kernel` knows.
    ///
    /// - Parameters:
    ///   - settings: Which camera is opened where a call names none, and how.
    ///   - devices: The folder of device nodes.
    ///   - sysfs: The folder of what the kernel knows of them.
    public init(
        settings: CameraSettings, kernel: any V4L2Kernel = LinuxKernel(), devices: String = "/dev",
        sysfs: String = "/sys/class/video4linux"
    ) {
        self.settings = settings
        self.kernel = kernel
        identity = CameraIdentity(devices: devices, sysfs: sysfs)
    }

    /// The cameras that are there now, the virtual ones too, in the order of their nodes' numbers.
    ///
    /// - Throws: `CameraError` where there are nodes and none of them can be asked; none at all is an empty list.
    public func list() throws(CameraError) -> [CameraDescription] {
        let survey = survey()
        if survey.cameras.isEmpty, let failure = survey.failures.first { throw failure.error }
        return survey.cameras.map(\.description)
    }

    /// Opens the camera that `selector` names by id, name or node; without one the camera of the settings, and
    /// without that the only one there is, not counting virtual ones unless they are allowed.
    ///
    /// - Throws: `CameraError`.
    public func open(_ selector: String?) throws(CameraError) -> any FrameSource {
        let survey = survey()
        let wanted = selector ?? settings.device
        let camera = wanted.isEmpty ? try only(of: survey) : try named(wanted, in: survey)
        guard camera.description.kind != .virtual || settings.allowVirtual else {
            throw CameraError(.virtual, "\(camera.description.id) is played by software, which is not allowed here")
        }
        return try V4L2Camera(camera.device, camera.description, settings: settings)
    }

    /// A camera and its node, open since it was asked: a second opening could meet another device.
    private struct Found {
        let description: CameraDescription
        let device: V4L2Device
    }

    /// What the nodes answered.
    private struct Survey {
        var cameras: [Found] = []
        var failures: [(node: String, error: CameraError)] = []
    }

    private func survey() -> Survey {
        var survey = Survey()
        for node in nodes() {
            do {
                if let found = try ask(node) { survey.cameras.append(found) }
            } catch {
                // A node that vanished since the folder was read is no camera any more.
                if error.fault != .notFound { survey.failures.append((node, error)) }
            }
        }
        return survey
    }

    /// nil for a node that captures no pictures: metadata, output, codecs.
    private func ask(_ node: String) throws(CameraError) -> Found? {
        let device: V4L2Device
        let capability: DeviceCapability
        do {
            device = try V4L2Device(node, kernel: kernel)
            capability = try device.capability()
        } catch {
            throw CameraError(error, node: node)
        }
        guard capability.isCamera, capability.canStream else { return nil }
        let description = CameraDescription(
            id: identity.stableID(of: node, capability), name: capability.card, node: node,
            kind: identity.isVirtual(node, capability) ? .virtual : .camera)
        return Found(description: description, device: device)
    }

    /// `videoN` in the folder, by number.
    private func nodes() -> [String] {
        // A folder that can't be read is a machine without cameras.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: identity.devices)) ?? []
        return names.compactMap { name in name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil }
            .sorted().map { "\(identity.devices)/video\($0)" }
    }

    private func only(of survey: Survey) throws(CameraError) -> Found {
        let allowed = survey.cameras.filter { $0.description.kind != .virtual || settings.allowVirtual }
        if allowed.count > 1 {
            throw CameraError(.notFound, "several cameras are connected; name one of: \(names(of: allowed))")
        }
        if let camera = allowed.first ?? survey.cameras.first { return camera }
        if let failure = survey.failures.first { throw failure.error }
        throw CameraError(.notFound, "no camera is connected")
    }

    private func named(_ selector: String, in survey: Survey) throws(CameraError) -> Found {
        let target = selector.hasPrefix("/") ? realPath(selector) : nil
        func isNode(_ node: String) -> Bool { node == selector || target != nil && realPath(node) == target }
        let matches = survey.cameras.filter {
            $0.description.id == selector || $0.description.name == selector || isNode($0.description.node)
        }
        if matches.count > 1 {
            throw CameraError(.notFound, "\"\(selector)\" names several cameras: \(names(of: matches))")
        }
        if let camera = matches.first { return camera }
        if let failure = survey.failures.first(where: { isNode($0.node) }) { throw failure.error }
        if survey.cameras.isEmpty {
            // It may be the wanted one that can't be asked; without any node there is nothing to blame but absence.
            throw survey.failures.first?.error ?? CameraError(.notFound, "no camera is connected")
        }
        throw CameraError(.notFound, "no camera \"\(selector)\"; connected: \(names(of: survey.cameras))")
    }

    private func names(of cameras: [Found]) -> String {
        cameras.map { "\($0.description.id) (\($0.description.node))" }.joined(separator: ", ")
    }
}
