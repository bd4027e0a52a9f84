import FoundationEssentials
import Imaging
import Settings
import Testing

@testable import Camera

@Suite struct CameraSettingsTests {
    @Test func `the defaults are valid`() {
        #expect(CameraSettings().validate().isEmpty)
    }

    @Test func `the keys are those of the settings files`() throws {
        let text = """
            {"device": "usb-a", "width": 640, "height": 480, "format": "Y16", "rate": 15, "buffers": 8,
             "allow_virtual": true}
            """
        let settings = try JSONDecoder().decode(CameraSettings.self, from: Data(text.utf8))
        #expect(settings.device == "usb-a" && settings.allowVirtual && settings.validate().isEmpty)
        #expect(settings.choice.fixedFormat == .y16)
        #expect(settings.choice.fixedSize == PictureSize(width: 640, height: 480))
        #expect(settings.choice.rate == 15)
    }

    static let wrong: [(key: String, change: @Sendable (inout CameraSettings) -> Void)] = [
        ("width", { $0.height = 480 }),
        ("height", { $0.width = 640 }),
        (
            "width",
            {
                $0.width = -1
                $0.height = 480
            }
        ),
        (
            "height",
            {
                $0.width = 640
                $0.height = 100_000
            }
        ),
        ("format", { $0.format = "H264" }),
        ("format", { $0.format = "mjpg" }),
        ("rate", { $0.rate = 0 }),
        ("rate", { $0.rate = 1000 }),
        ("buffers", { $0.buffers = 1 }),
        ("buffers", { $0.buffers = 33 }),
    ]

    @Test(arguments: wrong.indices) func `a value outside its range is refused by its key`(index: Int) {
        var settings = CameraSettings()
        Self.wrong[index].change(&settings)
        #expect(settings.validate().map(\.key) == [Self.wrong[index].key])
    }
}
