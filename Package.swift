// swift-tools-version: 6.2
import PackageDescription

// What a frame passes through is optimised even in a debug build: dlib without it takes 3 s a frame, and
// pixel loops in Swift some 40 ms.
let hotSwift: [SwiftSetting] = [.unsafeFlags(["-O"])]

// x86-64-v2 (SSE4.2, no AVX) is what the weakest kiosk processors have; AVX2 was measured within 10 % of it.
#if arch(x86_64)
    let hotNative = ["-O3", "-march=x86-64-v2"]
#else
    let hotNative = ["-O3"]
#endif

/// One row of the table in docs/architecture.md, which a test holds against this file.
func part(
    _ name: String, _ uses: [String] = [], hot: Bool = false, resources: [Resource] = [], files: [String] = []
) -> Target {
    .target(
        name: name, dependencies: uses.map { .init(stringLiteral: $0) }, exclude: files, resources: resources,
        swiftSettings: hot ? hotSwift : [])
}

func program(_ name: String, _ uses: [String]) -> Target {
    .executableTarget(name: name, dependencies: uses.map { .init(stringLiteral: $0) })
}

/// Files beside the tests are found from `#filePath`.
func tests(of name: String, _ uses: [String], files: [String] = []) -> Target {
    .testTarget(name: name + "Tests", dependencies: uses.map { .init(stringLiteral: $0) }, exclude: files)
}

func shim(_ name: String, c: [CSetting] = [], cxx: [CXXSetting] = [], links: [String] = []) -> Target {
    .target(
        name: name, path: "CShims/\(name)", cSettings: c, cxxSettings: cxx,
        linkerSettings: links.map { .linkedLibrary($0) })
}

let shims: [Target] = [
    shim("CPlatform", links: ["systemd"]),
    shim("CToml", links: ["tomlplusplus"]),
    shim("CV4L2", links: ["v4l2", "v4lconvert"]),
    shim("CTurboJPEG", links: ["turbojpeg"]),
    shim("CLibAV", links: ["avformat", "avcodec", "swscale", "avutil"]),
    shim("CCrypto", links: ["crypto"]),
    shim("CAllocations"),
    shim("CDlib", cxx: [.unsafeFlags(hotNative)], links: ["dlib", "m"]),
]

let parts: [Target] = [
    part("Platform", ["CPlatform"]),
    part("Settings", ["CToml", "Platform"]),
    part("Imaging", ["CTurboJPEG", "Platform"], hot: true),
    part("Camera", ["CV4L2", "Imaging", "Platform", "Settings"]),
    part("ReplaySource", ["CLibAV", "Camera", "Imaging", "Platform"]),
    part("Clip", ["CLibAV", "Imaging", "Platform"]),
    part("FaceGeometry", hot: true),
    part("FaceTracking", ["CDlib", "FaceGeometry", "Imaging"], hot: true),
    part("Liveness", ["FaceGeometry"], hot: true),
    part("Varlink", ["CPlatform", "Platform"]),
    part(
        "LivenessInterface", ["CCrypto", "Liveness", "Platform", "Varlink"],
        resources: [.embedInCode("io.livenessd.Liveness.varlink")]),
    part(
        "LivenessService",
        [
            "Camera", "Clip", "FaceGeometry", "FaceTracking", "Imaging", "Liveness", "LivenessInterface", "Platform",
            "Settings", "Varlink",
        ]),
    part(
        "LivenessTestKit", ["CV4L2", "Camera", "FaceGeometry", "Imaging", "Platform"], hot: true,
        files: ["Portraits"]),
]

let programs: [Target] = [
    program("synthetic-face", ["Clip", "FaceGeometry", "Imaging", "LivenessTestKit", "Platform"]),
    program(
        "frame-allocations",
        ["CAllocations", "FaceTracking", "Imaging", "Liveness", "LivenessTestKit", "Platform"]),
    program("livenessd", ["Camera", "LivenessInterface", "LivenessService", "Platform", "Settings"]),
    program(
        "livenessd-replay",
        ["LivenessInterface", "LivenessService", "Platform", "ReplaySource", "Settings"]),
    program(
        "livenessctl",
        [
            "Camera", "FaceTracking", "Liveness", "LivenessInterface", "LivenessService", "Platform", "ReplaySource",
            "Settings", "Varlink",
        ]),
    program(
        "livenessbench",
        ["Camera", "Clip", "FaceTracking", "Imaging", "Liveness", "LivenessService", "Platform", "ReplaySource"]),
]

let testTargets: [Target] = [
    tests(of: "Architecture", []),
    tests(of: "Platform", ["Platform"]),
    tests(of: "Settings", ["Settings", "Platform"]),
    tests(of: "Imaging", ["Imaging"], files: ["Frames"]),
    tests(of: "Clip", ["Camera", "Clip", "Imaging", "Platform", "ReplaySource"]),
    tests(of: "Camera", ["CV4L2", "Camera", "Imaging", "LivenessTestKit", "Platform", "Settings"]),
    tests(of: "FaceTracking", ["FaceGeometry", "FaceTracking", "Imaging", "LivenessTestKit"]),
    tests(of: "Liveness", ["FaceGeometry", "FaceTracking", "Imaging", "Liveness", "LivenessTestKit"]),
    tests(of: "Varlink", ["Varlink", "LivenessInterface", "Liveness", "Platform"]),
    tests(of: "LivenessInterface", ["Liveness", "LivenessInterface"]),
    tests(of: "LivenessTestKit", ["LivenessTestKit", "FaceTracking", "FaceGeometry", "Imaging"]),
    tests(
        of: "LivenessService",
        [
            "Camera", "Clip", "FaceGeometry", "FaceTracking", "Imaging", "Liveness", "LivenessInterface",
            "LivenessService", "LivenessTestKit", "Platform", "ReplaySource", "Settings", "Varlink",
        ], files: ["Clients", "Clips"]),
]

let package = Package(
    name: "liveness-kiosk",
    products: [
        .library(name: "LivenessInterface", targets: ["LivenessInterface"]),
        .library(name: "LivenessTestKit", targets: ["LivenessTestKit"]),
    ],
    targets: shims + parts + programs + testTargets,
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
