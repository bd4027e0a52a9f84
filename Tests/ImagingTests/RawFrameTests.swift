import Imaging
import Testing

@Suite struct RawFrameTests {
    private func decode(_ frame: Frame) throws -> Picture {
        var decoder = FrameDecoder()
        return try decoder.decode(frame).picture
    }

    @Test func `YUYV gives luma as it is and the mean of two rows' chroma`() throws {
        let frame = FrameMaking.frame(
            [10, 100, 20, 200, 30, 110, 40, 220], .yuyv, width: 2, height: 2, stride: 4)
        let picture = try decode(frame)
        #expect(picture.luma == [10, 20, 30, 40])
        #expect(picture.chroma.u == [105])
        #expect(picture.chroma.v == [210])
    }

    @Test func `UYVY is YUYV with its bytes swapped`() throws {
        let frame = FrameMaking.frame(
            [100, 10, 200, 20, 110, 30, 220, 40], .uyvy, width: 2, height: 2, stride: 4)
        let picture = try decode(frame)
        #expect(picture.luma == [10, 20, 30, 40])
        #expect(picture.chroma.u == [105])
    }

    @Test func `NV12's interleaved chroma is taken apart, padding left out`() throws {
        let frame = FrameMaking.frame(
            [1, 2, 0, 0, 3, 4, 0, 0, 77, 88, 0, 0], .nv12, width: 2, height: 2, stride: 4)
        let picture = try decode(frame)
        #expect(picture.luma == [1, 2, 3, 4])
        #expect(picture.chroma == ([77], [88]))
    }

    @Test func `three planes are copied`() throws {
        let frame = FrameMaking.frame([1, 2, 3, 4, 5, 6], .i420, width: 2, height: 2, stride: 2)
        let picture = try decode(frame)
        #expect(picture.luma == [1, 2, 3, 4])
        #expect(picture.chroma == ([5], [6]))
    }

    @Test func `grey has neutral chroma`() throws {
        let picture = try decode(FrameMaking.frame([9, 8, 7, 6], .grey, width: 2, height: 2, stride: 2))
        #expect(picture.luma == [9, 8, 7, 6])
        #expect(picture.chroma == ([128], [128]))
    }

    @Test func `sixteen-bit grey of ten significant bits is scaled to eight`() throws {
        let frame = FrameMaking.frame([0xFF, 0x03, 0x00, 0x02], .y16, width: 2, height: 1, stride: 4)
        #expect(try decode(frame).luma == [255, 128])
    }

    @Test func `the limited range is widened to the full one`() throws {
        let frame = FrameMaking.frame([16, 235, 126, 255], .grey, width: 4, height: 1, stride: 4, range: .limited)
        #expect(try decode(frame).luma == [0, 255, 128, 255])
    }

    @Test(arguments: [
        (PixelFormat.yuyv, 8, 7), (.uyvy, 8, 7), (.nv12, 4, 11), (.i420, 4, 11), (.grey, 4, 7), (.y16, 8, 15),
    ])
    func `a frame that lacks bytes is refused`(format: PixelFormat, stride: Int, count: Int) {
        let frame = FrameMaking.frame(
            [UInt8](repeating: 0, count: count), format, width: 4, height: 2, stride: stride)
        #expect(throws: ImagingError.self) { try decode(frame) }
    }

    @Test(arguments: [(0, 2, 4), (2, 0, 4), (-1, 2, 4), (2, 2, 1), (20_000, 2, 40_000)])
    func `a size that no picture has is refused`(width: Int, height: Int, stride: Int) throws {
        let frame = FrameMaking.frame([0, 0, 0, 0], .grey, width: width, height: height, stride: stride)
        let error = #expect(throws: ImagingError.self) { try decode(frame) }
        #expect(error?.fault == .impossibleSize)
    }

    @Test func `odd sizes lose no pixel`() throws {
        let luma = (0..<15).map { UInt8($0) }
        let picture = try decode(FrameMaking.frame(luma, .grey, width: 5, height: 3, stride: 5))
        #expect(picture.luma == luma)
        #expect(picture.chromaWidth == 3)
        #expect(picture.chromaHeight == 2)
    }

    @Test func `what the source calls damaged stays damaged`() throws {
        var decoder = FrameDecoder()
        let frame = FrameMaking.frame([1, 2, 3, 4], .grey, width: 2, height: 2, stride: 2, isDamaged: true)
        #expect(try decoder.decode(frame).isDamaged)
    }
}

@Suite struct OrientationTests {
    @Test(arguments: [
        (Orientation(rotation: .quarter), [4, 1, 5, 2, 6, 3] as [UInt8]),
        (Orientation(rotation: .half), [6, 5, 4, 3, 2, 1]),
        (Orientation(rotation: .threeQuarters), [3, 6, 2, 5, 1, 4]),
        (Orientation(mirrored: true), [3, 2, 1, 6, 5, 4]),
        (Orientation(rotation: .quarter, mirrored: true), [1, 4, 2, 5, 3, 6]),
    ])
    func `pictures are turned clockwise, then mirrored`(orientation: Orientation, expected: [UInt8]) throws {
        var decoder = FrameDecoder(orientation: orientation)
        let frame = FrameMaking.frame([1, 2, 3, 4, 5, 6], .grey, width: 3, height: 2, stride: 3)
        let picture = try decoder.decode(frame).picture
        #expect(picture.luma == expected)
        #expect(picture.width == (orientation.swapsSides ? 2 : 3))
    }
}

@Suite struct PoolTests {
    @Test func `frame memory is used again only when nobody holds it`() {
        var pool = FramePool()
        let bytes = [UInt8](repeating: 1, count: 100)
        var first: FrameBytes? = bytes.withUnsafeBytes { pool.copy($0) }
        let second = bytes.withUnsafeBytes { pool.copy($0) }
        #expect(first !== second)
        let place = first.map(ObjectIdentifier.init)
        first = nil
        let third = bytes.withUnsafeBytes { pool.copy($0) }
        #expect(ObjectIdentifier(third) == place)
    }

    @Test func `memory grows for a larger frame and keeps its length apart from its room`() {
        var pool = FramePool()
        _ = [UInt8](repeating: 1, count: 10).withUnsafeBytes { pool.copy($0) }
        let large = [UInt8](repeating: 2, count: 1000).withUnsafeBytes { pool.copy($0) }
        #expect(large.withBytes { $0.count } == 1000)
        #expect(large.withBytes { $0.allSatisfy { $0 == 2 } })
    }
}
