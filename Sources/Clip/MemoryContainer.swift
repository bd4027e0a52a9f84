import CLibAV
import Glibc
import Platform

/// An MP4 file that libavformat writes straight into an anonymous file in memory. One thread owns it.
final class MemoryContainer {
    private let file: MemoryOutput
    private var format: UnsafeMutablePointer<AVFormatContext>?
    private var output: UnsafeMutablePointer<AVIOContext>?
    private var stream: UnsafeMutablePointer<AVStream>?

    private static let bufferSize = 64 * 1024

    /// - Throws: `ClipError`.
    init() throws(ClipError) {
        file = try MemoryOutput()
        avformat_alloc_output_context2(&format, nil, "mp4", nil)
        output = avio_alloc_context(
            av_malloc(Self.bufferSize)?.assumingMemoryBound(to: UInt8.self), CInt(Self.bufferSize), 1,
            Unmanaged.passUnretained(file).toOpaque(), nil, writeToMemory, seekInMemory)
        guard let format, output != nil else { throw ClipError("no memory for a video container") }
        format.pointee.pb = output
    }

    deinit {
        if let output { av_free(output.pointee.buffer) }
        avio_context_free(&output)
        avformat_free_context(format)
    }

    /// Begins the file with one stream of what `codec` encodes.
    ///
    /// - Throws: `ClipError`.
    func begin(_ codec: UnsafeMutablePointer<AVCodecContext>) throws(ClipError) {
        stream = avformat_new_stream(format, nil)
        guard let stream else { throw ClipError("no memory for a video stream") }
        stream.pointee.time_base = codec.pointee.time_base
        try check("avcodec_parameters_from_context") {
            avcodec_parameters_from_context(stream.pointee.codecpar, codec)
        }
        try check("avformat_write_header") { avformat_write_header(format, nil) }
    }

    /// Adds an encoded picture, whose times are in `base`.
    ///
    /// - Throws: `ClipError`.
    func write(_ packet: UnsafeMutablePointer<AVPacket>, _ base: AVRational) throws(ClipError) {
        guard let stream else { throw ClipError("a packet before the container began") }
        av_packet_rescale_ts(packet, base, stream.pointee.time_base)
        packet.pointee.stream_index = stream.pointee.index
        try check("av_interleaved_write_frame") { av_interleaved_write_frame(format, packet) }
    }

    /// Ends the file and seals it: nobody who gets it can change it.
    ///
    /// - Throws: `ClipError`.
    func finish() throws(ClipError) -> Descriptor {
        try check("av_write_trailer") { av_write_trailer(format) }
        avio_flush(output)
        if let output, output.pointee.error < 0 { throw ClipError("writing the container failed") }
        return try file.seal()
    }
}

/// The memory file with libavformat's position in it.
private final class MemoryOutput {
    private let file: Descriptor
    private var position: off_t = 0
    private var end: off_t = 0

    init() throws(ClipError) {
        do {
            file = try MemoryFile.create("liveness-clip")
        } catch {
            throw ClipError("\(error)")
        }
    }

    func seal() throws(ClipError) -> Descriptor {
        do {
            try MemoryFile.seal(file)
            return file
        } catch {
            throw ClipError("\(error)")
        }
    }

    func write(_ bytes: UnsafePointer<UInt8>, _ count: CInt) -> CInt {
        var done = 0
        while done < Int(count) {
            let written = pwrite(file.number, bytes + done, Int(count) - done, position)
            if written < 0, errno == EINTR { continue }
            if written < 0 { return -errno }
            done += written
            position += off_t(written)
        }
        end = max(end, position)
        return count
    }

    func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return Int64(end)
        case SEEK_SET: position = off_t(offset)
        case SEEK_CUR: position += off_t(offset)
        case SEEK_END: position = end + off_t(offset)
        default: return Int64(-EINVAL)
        }
        return Int64(position)
    }
}

private func writeToMemory(_ owner: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: CInt)
    -> CInt
{
    guard let owner, let bytes else { return -EINVAL }
    return Unmanaged<MemoryOutput>.fromOpaque(owner).takeUnretainedValue().write(bytes, count)
}

private func seekInMemory(_ owner: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: CInt) -> Int64 {
    guard let owner else { return Int64(-EINVAL) }
    return Unmanaged<MemoryOutput>.fromOpaque(owner).takeUnretainedValue().seek(offset, whence)
}

/// Runs a call of libav that reports failure by a negative result.
func check(_ call: String, _ body: () -> CInt) throws(ClipError) {
    let status = body()
    guard status < 0 else { return }
    var buffer = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
    av_strerror(status, &buffer, buffer.count)
    let words = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    throw ClipError("\(call): \(words)")
}
