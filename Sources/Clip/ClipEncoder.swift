import CLibAV
import Imaging
import Platform

/// A finished video.
public struct EncodedClip: Sendable {
    /// A sealed memory file: H.264 in MP4.
    public let file: Descriptor
    /// Bytes.
    public let size: Int
    /// Pixels.
    public let width: Int
    /// Pixels.
    public let height: Int
    /// From the first picture to the end of the last.
    public let duration: Duration
    /// How many pictures it has.
    public let pictures: Int
}

/// Encodes pictures as they come, to H.264 in MP4 in memory, so that nothing waits at the end. One thread owns it.
///
/// Each picture keeps its own time: a camera that slows down in the dark gives a video of the right length.
public final class ClipEncoder {
    private let container: MemoryContainer
    private let shrinking: PictureShrinking
    private var codec: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var held: UnsafeMutablePointer<AVPacket>?
    private var first: Duration?
    private var last = Duration.zero
    private var pictures = 0

    /// Times are microseconds.
    private static let timeBase = AVRational(num: 1, den: 1_000_000)
    /// Pictures from one that stands alone to the next: two seconds at 30 a second, so that a player can seek.
    private static let keyInterval: CInt = 60
    /// What the encoder's rate control expects; the pictures' times may differ.
    private static let expectedRate = AVRational(num: 30, den: 1)

    /// An encoder for pictures of `width` x `height` pixels.
    ///
    /// - Throws: `ClipError` where the size has no video or the encoder can't be opened.
    public init(settings: ClipSettings, width: Int, height: Int) throws(ClipError) {
        av_log_set_level(AV_LOG_FATAL)
        shrinking = PictureShrinking(width: width, height: height, maximumWidth: settings.maximumWidth)
        container = try MemoryContainer()
        guard let h264 = avcodec_find_encoder_by_name("libx264") else {
            throw ClipError("this FFmpeg has no libx264")
        }
        codec = avcodec_alloc_context3(h264)
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        held = av_packet_alloc()
        guard let codec, let frame, packet != nil, held != nil else { throw ClipError("no memory for a video encoder") }
        configure(codec, settings)
        try check("avcodec_open2") { avcodec_open2(codec, h264, nil) }
        try container.begin(codec)
        frame.pointee.width = codec.pointee.width
        frame.pointee.height = codec.pointee.height
        frame.pointee.format = codec.pointee.pix_fmt.rawValue
        try check("av_frame_get_buffer") { av_frame_get_buffer(frame, 0) }
    }

    deinit {
        av_packet_free(&packet)
        av_packet_free(&held)
        av_frame_free(&frame)
        avcodec_free_context(&codec)
    }

    /// Adds a picture that was taken at `time`. One that is not later than the one before is left out.
    ///
    /// - Throws: `ClipError`; the clip is then of no use any more.
    public func append(_ picture: Picture, at time: Duration) throws(ClipError) {
        guard let codec, let frame, first == nil || time > last else { return }
        guard shrinking.fits(picture) else { throw ClipError("the picture's size changed") }
        let start = first ?? time
        first = start
        last = time
        pictures += 1
        try check("av_frame_make_writable") { av_frame_make_writable(frame) }
        shrinking.draw(picture, into: frame)
        frame.pointee.pts = (time - start).wholeNanoseconds / 1000
        try check("avcodec_send_frame") { avcodec_send_frame(codec, frame) }
        try writePackets()
    }

    /// Ends the video; its last picture is shown until `time`.
    ///
    /// - Throws: `ClipError`, also where there was no picture.
    public func finish(at time: Duration) throws(ClipError) -> EncodedClip {
        guard let codec, let first else { throw ClipError("a video without pictures") }
        try check("avcodec_send_frame") { avcodec_send_frame(codec, nil) }
        try writePackets()
        try writeHeld(until: (max(time, last) - first).wholeNanoseconds / 1000)
        let file = try container.finish()
        do {
            return EncodedClip(
                file: file, size: try MemoryFile.size(file), width: Int(codec.pointee.width),
                height: Int(codec.pointee.height), duration: max(time, last) - first, pictures: pictures)
        } catch {
            throw ClipError("\(error)")
        }
    }

    private func writePackets() throws(ClipError) {
        guard let codec, let packet, let held else { return }
        while true {
            let status = avcodec_receive_packet(codec, packet)
            if status == CLibAV_again || status == CLibAV_end { return }
            try check("avcodec_receive_packet") { status }
            try writeHeld(until: packet.pointee.pts)
            av_packet_move_ref(held, packet)
        }
    }

    /// Writes the packet before the newest: only now it is known how long its picture is shown.
    private func writeHeld(until end: Int64) throws(ClipError) {
        guard let held, held.pointee.size > 0 else { return }
        held.pointee.duration = max(end - held.pointee.pts, 1)
        try container.write(held, Self.timeBase)
    }

    private func configure(_ codec: UnsafeMutablePointer<AVCodecContext>, _ settings: ClipSettings) {
        codec.pointee.width = CInt(shrinking.width)
        codec.pointee.height = CInt(shrinking.height)
        codec.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        // JPEG's colours: BT.601 in the full range.
        codec.pointee.color_range = AVCOL_RANGE_JPEG
        codec.pointee.colorspace = AVCOL_SPC_SMPTE170M
        codec.pointee.time_base = Self.timeBase
        codec.pointee.framerate = Self.expectedRate
        codec.pointee.bit_rate = Int64(settings.bitRate)
        codec.pointee.rc_max_rate = Int64(settings.bitRate) * 2
        codec.pointee.rc_buffer_size = CInt(clamping: settings.bitRate * 2)
        codec.pointee.gop_size = Self.keyInterval
        codec.pointee.max_b_frames = 0
        // The other core is the camera's and the browser's.
        codec.pointee.thread_count = 1
        codec.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        // Both exist in every libx264; a preset that doesn't makes opening the encoder fail.
        av_opt_set(codec.pointee.priv_data, "preset", settings.preset, 0)
        av_opt_set(codec.pointee.priv_data, "tune", "zerolatency", 0)
    }
}
