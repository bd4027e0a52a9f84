import CLibAV
import Imaging

/// How a picture becomes a video's: smaller by a whole factor, and of even size, which 4:2:0 wants.
struct PictureShrinking {
    private let sourceWidth: Int
    private let sourceHeight: Int
    private let factor: Int
    /// Pixels of the video.
    let width: Int
    /// Pixels of the video.
    let height: Int

    init(width: Int, height: Int, maximumWidth: Int) {
        sourceWidth = width
        sourceHeight = height
        factor = PlaneScaling.factor(from: width, to: maximumWidth)
        // An odd column or row at the edge is cut off.
        self.width = max(width / factor & ~1, 2)
        self.height = max(height / factor & ~1, 2)
    }

    func fits(_ picture: Picture) -> Bool { picture.width == sourceWidth && picture.height == sourceHeight }

    func draw(_ picture: Picture, into frame: UnsafeMutablePointer<AVFrame>) {
        let data = frame.pointee.data
        let strides = frame.pointee.linesize
        picture.withPlanes { y, u, v in
            shrink(y, picture.lumaStride, data.0, strides.0, width, height)
            shrink(u, picture.chromaStride, data.1, strides.1, width / 2, height / 2)
            shrink(v, picture.chromaStride, data.2, strides.2, width / 2, height / 2)
        }
    }

    private func shrink(
        _ source: UnsafePointer<UInt8>, _ stride: Int, _ target: UnsafeMutablePointer<UInt8>?, _ targetStride: CInt,
        _ width: Int, _ height: Int
    ) {
        guard let target else { return }
        PlaneScaling.shrink(
            source, stride: stride, by: factor, to: target, targetStride: Int(targetStride), width: width,
            height: height)
    }
}
