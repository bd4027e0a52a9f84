/// One interface that a server offers.
public protocol VarlinkInterface: Sendable {
    /// Its name, `io.example.thing`.
    var name: String { get }
    /// Its definition in varlink's language.
    var text: String { get }
    /// The names of its methods.
    var methods: Set<String> { get }
    /// Takes a call of one of `methods`, on the server's thread: it must not block, and may answer later.
    func handle(_ call: VarlinkCall)
}

/// What `org.varlink.service.GetInfo` tells of the program.
public struct ServiceInfo: Sendable, Equatable {
    /// Who makes it.
    public var vendor: String
    /// What it is called.
    public var product: String
    /// Its version.
    public var version: String
    /// Where to read about it.
    public var url: String

    /// All facts at once.
    public init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}

/// Introspection: `org.varlink.service`.
struct ServiceInterface: VarlinkInterface {
    private struct Info: Encodable {
        var vendor: String
        var product: String
        var version: String
        var url: String
        var interfaces: [String]
    }

    private struct DescriptionRequest: Decodable {
        var interface: String
    }

    private struct Description: Encodable {
        var description: String
    }

    let name = "org.varlink.service"
    let methods: Set<String> = ["GetInfo", "GetInterfaceDescription"]
    private let info: ServiceInfo
    private let others: [any VarlinkInterface]

    init(info: ServiceInfo, others: [any VarlinkInterface]) {
        self.info = info
        self.others = others
    }

    func handle(_ call: VarlinkCall) {
        if call.method == "GetInfo" {
            call.reply(
                Info(
                    vendor: info.vendor, product: info.product, version: info.version, url: info.url,
                    interfaces: [name] + others.map(\.name)))
            return
        }
        do throws(VarlinkError) {
            let wanted = try call.parameters(DescriptionRequest.self).interface
            let all: [any VarlinkInterface] = [self] + others
            guard let interface = all.first(where: { $0.name == wanted }) else {
                throw VarlinkError.interfaceNotFound(wanted)
            }
            call.reply(Description(description: interface.text))
        } catch {
            call.fail(error)
        }
    }

    /// As varlink.org gives it.
    let text = """
        # The Varlink Service Interface is provided by every varlink service. It
        # describes the service and the interfaces it implements.
        interface org.varlink.service

        # Get a list of all the interfaces a service provides and information
        # about the implementation.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # Get the description of an interface that is implemented by this service.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The requested interface was not found.
        error InterfaceNotFound (interface: string)

        # The requested method was not found
        error MethodNotFound (method: string)

        # The interface defines the requested method, but the service does not
        # implement it.
        error MethodNotImplemented (method: string)

        # One of the passed parameters is invalid.
        error InvalidParameter (parameter: string)

        # Client is denied access
        error PermissionDenied ()

        # Method is expected to be called with 'more' set to true, but wasn't
        error ExpectedMore ()
        """
}
