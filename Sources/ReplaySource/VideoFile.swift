import CLibAV
import Camera
import Platform

/// The first video stream of a file, decoded picture by picture. One thread owns it.
final class VideoFile {
    private let path: String
    private var format: UnsafeMutablePointer<AVFormatContext>?
    private var codec: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var picture: UnsafeMutablePointer<AVFrame>?
    private var stream: CInt = 0
    private var secondsPerTick = 0.0
    private var startTicks: Int64 = 0
    private var hasSentEnd = false

    /// How long one picture lasts, as the container says; a thirtieth of a second where it doesn't.
    private(set) var pictureDuration = Duration.nanoseconds(33_333_333)
    /// Clockwise quarter turns that make the pictures upright.
    private(set) var quarterTurns = 0

    /// - Throws: `CameraError`: `camera_not_found` where the file can't be opened, `unsupported_format` where it is no
    ///   video that libav can decode.
    init(_ path: String) throws(CameraError) {
        self.path = path
        av_log_set_level(AV_LOG_FATAL)
        try check(avformat_open_input(&format, path, nil, nil), .notFound)
        try check(avformat_find_stream_info(format, nil), .unsupportedFormat)
        var decoder: UnsafePointer<AVCodec>?
        stream = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, &decoder, 0)
        guard stream >= 0, let decoder, let track = format?.pointee.streams[Int(stream)] else {
            throw CameraError(.unsupportedFormat, "\(path) has no video that can be decoded")
        }
        codec = avcodec_alloc_context3(decoder)
        packet = av_packet_alloc()
        picture = av_frame_alloc()
        guard codec != nil, packet != nil, picture != nil else {
            throw CameraError(.unsupportedFormat, "no memory to decode \(path)")
        }
        try check(avcodec_parameters_to_context(codec, track.pointee.codecpar), .unsupportedFormat)
        try check(avcodec_open2(codec, decoder, nil), .unsupportedFormat)
        readFacts(of: track)
    }

    deinit {
        av_frame_free(&picture)
        av_packet_free(&packet)
        avcodec_free_context(&codec)
        avformat_close_input(&format)
    }

    /// The next picture, valid until the next call, and its time since the file's beginning; nil at the end.
    ///
    /// - Throws: `CameraError` (`camera_lost`) where the file can't be read on.
    func next() throws(CameraError) -> (picture: UnsafePointer<AVFrame>, time: Duration?)? {
        while true {
            let received = avcodec_receive_frame(codec, picture)
            if received == 0, let picture { return (UnsafePointer(picture), time(of: picture)) }
            if received == CLibAV_end { return nil }
            if received != CLibAV_again { try check(received, .lost) }
            try sendPacket()
        }
    }

    private func sendPacket() throws(CameraError) {
        guard !hasSentEnd else { throw CameraError(.lost, "\(path): the decoder neither gives nor takes") }
        let read = av_read_frame(format, packet)
        if read == CLibAV_end {
            hasSentEnd = true
            try check(avcodec_send_packet(codec, nil), .lost)
            return
        }
        try check(read, .lost)
        defer { av_packet_unref(packet) }
        guard packet?.pointee.stream_index == stream else { return }
        let sent = avcodec_send_packet(codec, packet)
        // A packet that can't be decoded is a picture lost, as on a real camera; what follows may be good.
        if sent < 0, sent != CLibAV_again { Log.debug("\(path): a packet is damaged: \(text(sent))") }
    }

    private func time(of picture: UnsafeMutablePointer<AVFrame>) -> Duration? {
        let ticks = picture.pointee.best_effort_timestamp
        guard ticks != CLibAV_no_time else { return nil }
        return .nanoseconds(Int64((Double(ticks - startTicks) * secondsPerTick * 1e9).rounded()))
    }

    private func readFacts(of track: UnsafeMutablePointer<AVStream>) {
        secondsPerTick = av_q2d(track.pointee.time_base)
        if track.pointee.start_time != CLibAV_no_time { startTicks = track.pointee.start_time }
        let rate = av_q2d(av_guess_frame_rate(format, track, nil))
        if rate.isFinite, rate > 0 { pictureDuration = .nanoseconds(Int64(1e9 / rate)) }
        var size = 0
        if let side = av_stream_get_side_data(track, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 {
            let degrees = side.withMemoryRebound(to: Int32.self, capacity: 9) { av_display_rotation_get($0) }
            // libav's angle is counter-clockwise.
            if degrees.isFinite { quarterTurns = ((Int((-degrees / 90).rounded()) % 4) + 4) % 4 }
        }
    }

    private func check(_ status: CInt, _ fault: CameraFault) throws(CameraError) {
        if status < 0 { throw CameraError(fault, "\(path): \(text(status))") }
    }
}

/// libav's own words for an error code.
private func text(_ status: CInt) -> String {
    var buffer = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
    av_strerror(status, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
