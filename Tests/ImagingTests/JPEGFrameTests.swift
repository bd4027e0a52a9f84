import Imaging
import Testing

@Suite struct JPEGFrameTests {
    /// What a file of the folder Frames must give.
    struct Expectation: Sendable, CustomTestStringConvertible {
        let file: String
        let width: Int
        let height: Int
        let fault: ImagingFault?
        var isDamaged = false
        var testDescription: String { file }
    }

    static let expectations = [
        Expectation(file: "nodht_mjpeg.jpg", width: 960, height: 720, fault: nil),
        Expectation(file: "multiple-ff-before-eoi.jpg", width: 640, height: 480, fault: nil),
        Expectation(file: "extraneous-data.jpg", width: 16, height: 16, fault: nil),
        Expectation(file: "restarts.jpg", width: 33, height: 33, fault: nil),
        Expectation(file: "16bit_qtables.jpg", width: 1, height: 1, fault: nil),
        Expectation(file: "gray_24x16_2x2.jpg", width: 24, height: 16, fault: nil),
        Expectation(file: "sampling_factors.jpg", width: 400, height: 225, fault: nil),
        Expectation(file: "weird_sampling_2.jpg", width: 32, height: 32, fault: nil),
        Expectation(file: "zero_length.jpg", width: 640, height: 480, fault: .notAJPEG),
        Expectation(file: "missing-sof.jpg", width: 640, height: 480, fault: .notAJPEG),
        Expectation(file: "missing-sos.jpg", width: 640, height: 480, fault: .notAJPEG),
        Expectation(file: "soi-eoi-only.jpg", width: 640, height: 480, fault: .notAJPEG),
        Expectation(file: "zero_height.jpg", width: 640, height: 480, fault: .notAJPEG),
        Expectation(file: "invalid-dimensions.jpg", width: 640, height: 480, fault: .notAJPEG),
        Expectation(file: "bad-huffman-overflow.jpg", width: 640, height: 480, fault: .notAJPEG),
        Expectation(file: "max_size_65500.jpg", width: 640, height: 480, fault: .notAJPEG),
        Expectation(file: "dc-predictor-overflow.jpg", width: 144, height: 144, fault: nil, isDamaged: true),
        Expectation(file: "cmyk.jpg", width: 600, height: 397, fault: .unsupportedJPEG),
    ]

    @Test(arguments: expectations)
    func `camera frames, good and hostile, give a picture or a named fault`(_ expected: Expectation) throws {
        let bytes = try FrameMaking.file(expected.file)
        var decoder = FrameDecoder()
        let frame = FrameMaking.frame(bytes, .mjpg, width: expected.width, height: expected.height)
        do throws(ImagingError) {
            let decoded = try decoder.decode(frame)
            #expect(expected.fault == nil)
            #expect(decoded.isDamaged == expected.isDamaged)
            #expect(decoded.picture.width == expected.width)
        } catch {
            #expect(error.fault == expected.fault, "\(error)")
        }
    }

    @Test(arguments: expectations)
    func `a good frame after a hostile one is decoded as ever`(_ expected: Expectation) throws {
        var decoder = FrameDecoder()
        let hostile = FrameMaking.frame(
            try FrameMaking.file(expected.file), .mjpg, width: expected.width, height: expected.height)
        // Whether it fails is another test's matter.
        _ = try? decoder.decode(hostile)
        let still = try StillEncoder(quality: 0.9).encode(FrameMaking.slope(width: 320, height: 240))
        let decoded = try decoder.decode(FrameMaking.frame(still.jpeg, .mjpg, width: 320, height: 240))
        #expect(!decoded.isDamaged)
        #expect(decoded.picture.width == 320)
    }

    @Test func `a picture of another size than the camera agreed to is refused`() throws {
        let frame = FrameMaking.frame(try FrameMaking.file("restarts.jpg"), .mjpg, width: 640, height: 480)
        var decoder = FrameDecoder()
        let error = #expect(throws: ImagingError.self) { try decoder.decode(frame) }
        #expect(error?.fault == .wrongSize)
    }

    @Test func `a frame that was cut off is damaged, wherever the cut is`() throws {
        let still = try StillEncoder(quality: 0.9).encode(FrameMaking.slope(width: 320, height: 240))
        var decoder = FrameDecoder()
        for part in [0.5, 0.7, 0.9] {
            let cut = Array(still.jpeg.prefix(Int(Double(still.jpeg.count) * part)))
            let decoded = try decoder.decode(FrameMaking.frame(cut, .mjpg, width: 320, height: 240))
            #expect(decoded.isDamaged, "cut at \(part)")
        }
    }

    @Test func `random bytes in a frame never crash the decoder`() throws {
        let still = try StillEncoder(quality: 0.9).encode(FrameMaking.slope(width: 160, height: 120))
        var generator = SystemRandomNumberGenerator()
        var decoder = FrameDecoder()
        var outcomes = Set<String>()
        for _ in 0..<500 {
            var bytes = still.jpeg
            let good = try decoder.decode(FrameMaking.frame(bytes, .mjpg, width: 160, height: 120))
            #expect(!good.isDamaged)
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            do throws(ImagingError) {
                let decoded = try decoder.decode(FrameMaking.frame(bytes, .mjpg, width: 160, height: 120))
                outcomes.insert(decoded.isDamaged ? "damaged" : "whole")
            } catch {
                outcomes.insert(error.fault.rawValue)
            }
        }
        #expect(outcomes.count > 1, "\(outcomes)")
    }
}

@Suite struct StillTests {
    /// Markers of a JPEG's segments before its picture data.
    private func markers(_ jpeg: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var place = 2
        while place + 4 <= jpeg.count, jpeg[place] == 0xFF, jpeg[place + 1] != 0xDA {
            result.append(jpeg[place + 1])
            place += 2 + Int(jpeg[place + 2]) << 8 + Int(jpeg[place + 3])
        }
        return result
    }

    @Test func `a still has Huffman tables and no EXIF even where the camera's frame had it the other way`() throws {
        let bytes = try FrameMaking.file("nodht_mjpeg.jpg")
        #expect(!markers(bytes).contains(0xC4))
        let still = try StillEncoder(quality: 0.9).encode(
            FrameMaking.frame(bytes, .mjpg, width: 960, height: 720))
        #expect(markers(still.jpeg).contains(0xC4))
        #expect(!markers(still.jpeg).contains(0xE1))
        #expect(still.width == 960)
        #expect(still.height == 720)
    }

    @Test func `a still of raw and of JPEG frames is upright`() throws {
        let source = FrameMaking.slope(width: 64, height: 32)
        let jpeg = try StillEncoder(quality: 1).encode(source)
        let compressed = FrameMaking.frame(jpeg.jpeg, .mjpg, width: 64, height: 32)
        for frame in [source, compressed] {
            let still = try StillEncoder(quality: 1).encode(frame, orientation: Orientation(rotation: .quarter))
            #expect((still.width, still.height) == (32, 64))
            var decoder = FrameDecoder()
            let upright = try decoder.decode(FrameMaking.frame(still.jpeg, .mjpg, width: 32, height: 64)).picture
            // The bright corner goes from the upper left to the upper right.
            #expect(upright.luma[31] > 230)
            #expect(upright.luma[0] < 80)
        }
    }

    @Test func `a picture survives encoding and decoding`() throws {
        let source = FrameMaking.slope(width: 97, height: 51)
        var decoder = FrameDecoder()
        let before = try decoder.decode(source).picture
        let still = try StillEncoder(quality: 0.95).encode(before)
        let after = try decoder.decode(FrameMaking.frame(still.jpeg, .mjpg, width: 97, height: 51)).picture
        let worst = zip(before.luma, after.luma).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(worst < 40)
    }

    @Test func `previews are made smaller by a whole factor`() throws {
        var decoder = FrameDecoder()
        let picture = try decoder.decode(FrameMaking.slope(width: 640, height: 360)).picture
        let still = try StillEncoder(quality: 0.7).encode(picture, maximumWidth: 160)
        #expect((still.width, still.height) == (160, 90))
    }
}
