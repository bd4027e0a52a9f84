import CTurboJPEG

/// A chroma plane in a JPEG's own subsampling, and its way to 4:2:0.
struct ChromaPlane {
    let columns: Int
    let rows: Int
    let stride: Int

    init(width: CInt, height: CInt, subsampling: CInt) {
        columns = Int(tjPlaneWidth(1, width, subsampling))
        rows = Int(tjPlaneHeight(1, height, subsampling))
        stride = (columns + 63) & ~63
    }

    /// Halves what is finer than 4:2:0 and repeats what is coarser (4:1:1). The source is overwritten.
    func convert(
        _ source: UnsafeMutablePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, of picture: Picture
    ) {
        var width = columns
        if columns > picture.chromaWidth {
            PlaneScaling.halveColumns(
                source, stride: stride, width: columns, height: rows, to: source, targetStride: stride)
            width = (columns + 1) / 2
        }
        let kept = min(width, picture.chromaWidth)
        if rows > picture.chromaHeight {
            PlaneScaling.halveRows(
                source, stride: stride, width: kept, height: rows, to: target, targetStride: picture.chromaStride)
        } else {
            for y in 0..<picture.chromaHeight {
                (target + y * picture.chromaStride).update(from: source + min(y, rows - 1) * stride, count: kept)
            }
        }
        if kept < picture.chromaWidth { repeatColumns(kept, in: target, of: picture) }
    }

    private func repeatColumns(_ kept: Int, in target: UnsafeMutablePointer<UInt8>, of picture: Picture) {
        for y in 0..<picture.chromaHeight {
            let row = target + y * picture.chromaStride
            for x in (0..<picture.chromaWidth).reversed() { row[x] = row[min(x / 2, kept - 1)] }
        }
    }
}

/// Memory for two such planes, used again for each frame.
final class ChromaScratch {
    private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)

    deinit {
        memory.deallocate()
    }

    func planes(_ plane: ChromaPlane) -> (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) {
        let count = plane.stride * plane.rows
        if memory.count < 2 * count + 1 {
            memory.deallocate()
            memory = .allocate(capacity: 2 * count + 1)
        }
        let first = memory.baseAddress.unsafelyUnwrapped
        return (first, first + count)
    }
}
