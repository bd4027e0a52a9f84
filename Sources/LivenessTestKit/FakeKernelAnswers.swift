import CV4L2
import Glibc

/// V4L2's four-character code.
func fourCC(_ name: String) -> UInt32 {
    name.utf8.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
}

extension v4l2_capability {
    mutating func describe(_ camera: FakeCamera) -> CInt {
        copy(camera.driver, to: &driver)
        copy(camera.card, to: &card)
        copy(camera.bus, to: &bus_info)
        // The whole driver's, with the metadata that another node gives.
        capabilities = UInt32(V4L2_CAP_DEVICE_CAPS) | camera.capabilities | 0x0080_0000
        device_caps = camera.capabilities
        return 0
    }
}

extension v4l2_fmtdesc {
    mutating func describe(_ camera: FakeCamera) -> CInt {
        guard camera.formats.indices.contains(Int(index)) else { return -EINVAL }
        pixelformat = fourCC(camera.formats[Int(index)].name)
        return 0
    }
}

extension v4l2_frmsizeenum {
    mutating func describe(_ camera: FakeCamera) -> CInt {
        guard let format = camera.formats.first(where: { fourCC($0.name) == pixel_format }),
            format.sizes.indices.contains(Int(index))
        else { return -EINVAL }
        type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
        discrete.width = UInt32(format.sizes[Int(index)].width)
        discrete.height = UInt32(format.sizes[Int(index)].height)
        return 0
    }
}

extension v4l2_frmivalenum {
    mutating func describe(_ camera: FakeCamera) -> CInt {
        let size = camera.formats.first { fourCC($0.name) == pixel_format }?.sizes.first {
            $0.width == Int(width) && $0.height == Int(height)
        }
        guard let size, size.rates.indices.contains(Int(index)) else { return -EINVAL }
        type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
        discrete.numerator = 1
        discrete.denominator = UInt32(size.rates[Int(index)])
        return 0
    }
}

extension v4l2_buffer {
    mutating func fill(_ picture: FakePicture, _ filled: UInt32, _ count: UInt32, _ now: Duration) {
        index = picture.index ?? filled
        bytesused = picture.bytesUsed ?? UInt32(picture.bytes.count)
        sequence = count
        flags = picture.isFlagged ? UInt32(V4L2_BUF_FLAG_ERROR) : 0
        guard let offset = picture.stampOffset else { return }
        flags |= UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        let (seconds, attoseconds) = (now + offset).components
        timestamp = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    }
}

/// Fills a C array with a text, cut off and without its NUL where it is too long.
private func copy<Array>(_ text: String, to array: inout Array) {
    withUnsafeMutableBytes(of: &array) { bytes in
        for index in bytes.indices { bytes[index] = 0 }
        bytes.copyBytes(from: text.utf8.prefix(bytes.count))
    }
}
