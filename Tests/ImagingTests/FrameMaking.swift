import Foundation
import Imaging

/// Frames of known content.
enum FrameMaking {
    static func frame(
        _ bytes: [UInt8], _ format: PixelFormat, width: Int, height: Int, stride: Int = 0,
        range: SampleRange = .full, isDamaged: Bool = false
    ) -> Frame {
        var pool = FramePool()
        let copy = bytes.withUnsafeBytes { pool.copy($0) }
        return Frame(
            bytes: copy,
            layout: FrameLayout(format: format, width: width, height: height, stride: stride, range: range),
            time: .zero, sequence: 0, isDamaged: isDamaged)
    }

    /// Grey from dark at the left to bright at the right, with a bright corner at the upper left.
    static func slope(width: Int, height: Int) -> Frame {
        var luma = [UInt8]()
        for y in 0..<height {
            for x in 0..<width { luma.append(x < width / 4 && y < height / 4 ? 250 : UInt8(40 + x * 120 / width)) }
        }
        return frame(luma, .grey, width: width, height: height, stride: width)
    }

    /// A file of the folder Frames.
    static func file(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Frames")
        return Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }
}

extension Picture {
    /// The luma plane without padding, row by row.
    var luma: [UInt8] {
        withGrey { view in
            (0..<view.height).flatMap { y in (0..<view.width).map { view.pixels[y * view.stride + $0] } }
        }
    }

    /// Both chroma planes without padding.
    var chroma: (u: [UInt8], v: [UInt8]) {
        withPlanes { _, u, v in
            let rows = { (plane: UnsafePointer<UInt8>) in
                (0..<self.chromaHeight).flatMap { y in
                    (0..<self.chromaWidth).map { plane[y * self.chromaStride + $0] }
                }
            }
            return (rows(u), rows(v))
        }
    }
}
