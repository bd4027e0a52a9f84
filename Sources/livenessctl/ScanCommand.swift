import Platform
struct ScanCommand: Runnable { static let help = ""; init(_ a: inout Arguments) throws {}; func run() throws -> ExitStatus { .noDaemon } }
struct CamerasCommand: Runnable { static let help = ""; init(_ a: inout Arguments) throws {}; func run() throws -> ExitStatus { .noDaemon } }
struct StatusCommand: Runnable { static let help = ""; init(_ a: inout Arguments) throws {}; func run() throws -> ExitStatus { .noDaemon } }
