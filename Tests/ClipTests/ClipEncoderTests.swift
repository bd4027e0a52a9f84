import Camera
import Clip
import Foundation
import Imaging
import Platform
import ReplaySource
import Testing

/// A clip of a moving bright bar.
private enum BarClip {
    static func picture(_ index: Int, width: Int = 160, height: Int = 120) throws -> Picture {
        var pool = FramePool()
        let bytes = pool.fill(width * height) { memory in
            for y in 0..<height {
                for x in 0..<width { memory[y * width + x] = abs(x - index * 3 % width) < 10 ? 230 : 60 }
            }
        }
        let layout = FrameLayout(format: .grey, width: width, height: height, stride: width, range: .full)
        var decoder = FrameDecoder()
        return try decoder.decode(
            Frame(bytes: bytes, layout: layout, time: .zero, sequence: 0, isDamaged: false)
        ).picture
    }

    static func encode(_ times: [Int], end: Int, settings: ClipSettings = ClipSettings()) throws -> EncodedClip {
        let encoder = try ClipEncoder(settings: settings, width: 160, height: 120)
        for (index, time) in times.enumerated() {
            try encoder.append(try picture(index), at: .milliseconds(time))
        }
        return try encoder.finish(at: .milliseconds(end))
    }

    /// Plays the clip back through a real decoder.
    static func frames(of clip: EncodedClip) throws -> [Frame] {
        let path = NSTemporaryDirectory() + "clip-\(UUID().uuidString).mp4"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(MemoryFile.read(clip.file)).write(to: URL(fileURLWithPath: path))
        let source = try ReplaySource(path: path, pace: .immediate, repeats: false)
        var frames: [Frame] = []
        while case .frame(let frame) = try source.next(timeout: .seconds(5)) { frames.append(frame) }
        return frames
    }
}

@Suite struct ClipEncoderTests {
    @Test func `a clip keeps each picture's own time and lasts until its end`() throws {
        let times = [1000, 1033, 1100, 1400, 1433, 2000]
        let clip = try BarClip.encode(times, end: 2500)
        #expect(clip.duration == .milliseconds(1500))
        #expect(clip.pictures == 6)
        let frames = try BarClip.frames(of: clip)
        #expect(frames.map { $0.time.wholeMilliseconds } == [0, 33, 100, 400, 433, 1000])
    }

    @Test func `a clip shows what was put in`() throws {
        let clip = try BarClip.encode(Array(stride(from: 0, to: 1000, by: 33)), end: 1000)
        let frames = try BarClip.frames(of: clip)
        var decoder = FrameDecoder()
        for index in [1, 10, 20] {
            let picture = try decoder.decode(frames[index]).picture
            picture.withGrey { view in
                #expect(view.pixels[60 * view.stride + index * 3] > 190)
                #expect(view.pixels[60 * view.stride + (index * 3 + 80) % 160] < 100)
            }
        }
    }

    @Test func `a finished clip is sealed and its size is told`() throws {
        let clip = try BarClip.encode([0, 40, 80], end: 120)
        #expect(MemoryFile.isSealed(clip.file))
        #expect(try MemoryFile.read(clip.file).count == clip.size)
    }

    @Test func `the bit rate bounds the size`() throws {
        var settings = ClipSettings()
        settings.bitRate = 50_000
        let clip = try BarClip.encode(Array(stride(from: 0, to: 10_000, by: 33)), end: 10_000, settings: settings)
        // Ten seconds of 50 kbit/s are 62,500 bytes; the container and rate control add at most as much again.
        #expect(clip.size < 125_000)
    }

    @Test func `a time that does not move on is left out`() throws {
        let clip = try BarClip.encode([0, 40, 40, 20, 80], end: 120)
        #expect(clip.pictures == 3)
    }

    @Test func `odd and large pictures are cut and made smaller`() throws {
        let picture = try BarClip.picture(0, width: 1281, height: 721)
        let encoder = try ClipEncoder(settings: ClipSettings(), width: 1281, height: 721)
        try encoder.append(picture, at: .zero)
        let clip = try encoder.finish(at: .milliseconds(40))
        #expect((clip.width, clip.height) == (640, 360))
    }

    @Test func `a picture of another size, no picture and a wrong preset are errors`() throws {
        let encoder = try ClipEncoder(settings: ClipSettings(), width: 320, height: 240)
        #expect(throws: ClipError.self) { try encoder.append(BarClip.picture(0), at: .zero) }
        #expect(throws: ClipError.self) { try encoder.finish(at: .zero) }
        var settings = ClipSettings()
        settings.preset = "no-such-preset"
        #expect(throws: ClipError.self) { try ClipEncoder(settings: settings, width: 320, height: 240) }
    }
}

@Suite struct ReplaySourceTests {
    private func withClip<Result>(_ body: (String) throws -> Result) throws -> Result {
        let path = NSTemporaryDirectory() + "replay-\(UUID().uuidString).mp4"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let clip = try BarClip.encode([0, 40, 80, 120], end: 160)
        try Data(MemoryFile.read(clip.file)).write(to: URL(fileURLWithPath: path))
        return try body(path)
    }

    private func times(_ source: ReplaySource, _ count: Int) throws -> [Int64] {
        try (0..<count).compactMap { _ in
            guard case .frame(let frame) = try source.next(timeout: .seconds(5)) else { return nil }
            return frame.time.wholeMilliseconds
        }
    }

    @Test func `times go on over the seam of a repeated file`() throws {
        try withClip { path in
            let source = try ReplaySource(path: path, pace: .immediate, repeats: true)
            let seen = try times(source, 10)
            #expect(seen == [0, 40, 80, 120, 160, 200, 240, 280, 320, 360])
        }
    }

    @Test func `a file that is not repeated ends`() throws {
        try withClip { path in
            let source = try ReplaySource(path: path, pace: .immediate, repeats: false)
            #expect(try times(source, 10) == [0, 40, 80, 120])
            guard case .ended = try source.next(timeout: .zero) else {
                Issue.record("it goes on")
                return
            }
        }
    }

    @Test func `a test gives the times`() throws {
        try withClip { path in
            let source = try ReplaySource(path: path, pace: .given { .milliseconds($0 * 500) }, repeats: true)
            #expect(try times(source, 5) == [0, 500, 1000, 1500, 2000])
        }
    }

    @Test func `in real time a picture that is not due yet is waited for`() throws {
        try withClip { path in
            let source = try ReplaySource(path: path, pace: .realTime, repeats: false)
            let before = MonotonicClock.now
            guard case .frame(let first) = try source.next(timeout: .seconds(5)) else {
                Issue.record("no picture")
                return
            }
            #expect(first.time >= before)
            // The second one is due 40 ms after the first; nothing comes before that.
            guard case .nothing = try source.next(timeout: .zero) else {
                Issue.record("a picture before its time")
                return
            }
            guard case .frame(let second) = try source.next(timeout: .seconds(5)) else {
                Issue.record("no second picture")
                return
            }
            #expect(second.time - first.time == .milliseconds(40))
            #expect(MonotonicClock.now >= second.time)
        }
    }

    @Test func `an interruption ends the source`() throws {
        try withClip { path in
            let source = try ReplaySource(path: path, pace: .realTime, repeats: true)
            source.interrupt()
            guard case .ended = try source.next(timeout: .seconds(60)) else {
                Issue.record("it goes on")
                return
            }
        }
    }

    @Test func `a missing file and one that is no video have their names`() throws {
        let missing = #expect(throws: CameraError.self) {
            try ReplaySource(path: "/no/such/file.mp4", pace: .immediate, repeats: false)
        }
        #expect(missing?.fault == .notFound)
        let text = #expect(throws: CameraError.self) {
            try ReplaySource(path: #filePath, pace: .immediate, repeats: false)
        }
        #expect(text?.fault == .unsupportedFormat || text?.fault == .notFound)
    }
}
