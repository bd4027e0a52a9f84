import CV4L2
import Camera
import Glibc

/// The answers of a driver, as the kernel's documentation of each request has them.
extension FakeStream {
    /// Runs `request` for `descriptor`.
    ///
    /// - Returns: 0, or a negative errno.
    func answer(
        _ request: V4L2Request, _ argument: UnsafeMutableRawPointer, for descriptor: CInt, at now: Duration
    ) -> CInt {
        if isGone { return -ENODEV }
        switch request {
        case .queryCapability: return describe(&argument.as(v4l2_capability.self).pointee)
        case .enumerateFormats: return enumerate(&argument.as(v4l2_fmtdesc.self).pointee)
        case .enumerateSizes: return enumerate(&argument.as(v4l2_frmsizeenum.self).pointee)
        case .enumerateIntervals: return enumerate(&argument.as(v4l2_frmivalenum.self).pointee)
        case .getParameters: return tell(&argument.as(v4l2_streamparm.self).pointee)
        case .setFormat, .setParameters, .requestBuffers, .queryBuffer, .queueBuffer, .dequeueBuffer, .streamOn,
            .streamOff:
            guard owner == nil || owner == descriptor else { return -EBUSY }
            return change(request, argument, for: descriptor, at: now)
        }
    }

    /// The requests that change something, which only the owner of the buffers may do.
    private func change(
        _ request: V4L2Request, _ argument: UnsafeMutableRawPointer, for descriptor: CInt, at now: Duration
    ) -> CInt {
        switch request {
        case .setFormat: return set(&argument.as(v4l2_format.self).pointee)
        case .setParameters: return set(&argument.as(v4l2_streamparm.self).pointee)
        case .requestBuffers: return give(&argument.as(v4l2_requestbuffers.self).pointee, to: descriptor)
        case .queryBuffer: return describe(&argument.as(v4l2_buffer.self).pointee)
        case .queueBuffer: return take(argument.as(v4l2_buffer.self).pointee)
        case .dequeueBuffer: return hand(&argument.as(v4l2_buffer.self).pointee)
        case .streamOn:
            guard !memories.isEmpty else { return -EINVAL }
            start(at: now)
        default: stop()
        }
        return 0
    }

    private func describe(_ answer: inout v4l2_capability) -> CInt {
        write(device.driver, to: &answer.driver)
        write(device.card, to: &answer.card)
        write(device.bus, to: &answer.bus_info)
        // The whole driver's abilities: those of both nodes of a UVC camera.
        answer.capabilities =
            device.abilities | UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_META_CAPTURE) | UInt32(V4L2_CAP_DEVICE_CAPS)
        answer.device_caps = device.abilities
        return 0
    }

    private func enumerate(_ entry: inout v4l2_fmtdesc) -> CInt {
        guard device.formats.indices.contains(Int(entry.index)) else { return -EINVAL }
        entry.pixelformat = device.formats[Int(entry.index)].fourCC
        return 0
    }

    private func enumerate(_ entry: inout v4l2_frmsizeenum) -> CInt {
        guard let format = format(entry.pixel_format) else { return -EINVAL }
        if let steps = format.steps {
            guard entry.index == 0 else { return -EINVAL }
            entry.type = (steps.step == 1 ? V4L2_FRMSIZE_TYPE_CONTINUOUS : V4L2_FRMSIZE_TYPE_STEPWISE).rawValue
            entry.stepwise = v4l2_frmsize_stepwise(
                min_width: UInt32(steps.least.width), max_width: UInt32(steps.most.width),
                step_width: UInt32(steps.step), min_height: UInt32(steps.least.height),
                max_height: UInt32(steps.most.height), step_height: UInt32(steps.step))
            return 0
        }
        guard format.sizes.indices.contains(Int(entry.index)) else { return -EINVAL }
        let size = format.sizes[Int(entry.index)]
        entry.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
        entry.discrete = v4l2_frmsize_discrete(width: UInt32(size.width), height: UInt32(size.height))
        return 0
    }

    private func enumerate(_ entry: inout v4l2_frmivalenum) -> CInt {
        guard let format = format(entry.pixel_format) else { return -EINVAL }
        let size = format.nearest(width: Int(entry.width), height: Int(entry.height))
        guard size.rates.indices.contains(Int(entry.index)) else { return -EINVAL }
        entry.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
        entry.discrete = v4l2_fract(numerator: 1, denominator: UInt32(size.rates[Int(entry.index)]))
        return 0
    }

    /// A wish that can't be met is answered with what comes near, as uvcvideo does.
    private func set(_ wish: inout v4l2_format) -> CInt {
        guard memories.isEmpty else { return -EBUSY }
        guard let offered = format(wish.fmt.pix.pixelformat) ?? device.formats.first else { return -EINVAL }
        let size = offered.nearest(width: Int(wish.fmt.pix.width), height: Int(wish.fmt.pix.height))
        let lengths = offered.lengths(width: size.width, height: size.height, rowGap: device.rowGap)
        wish.fmt.pix.width = UInt32(size.width)
        wish.fmt.pix.height = UInt32(size.height)
        wish.fmt.pix.pixelformat = offered.fourCC
        wish.fmt.pix.bytesperline = UInt32(lengths.row)
        wish.fmt.pix.sizeimage = UInt32(lengths.picture)
        wish.fmt.pix.quantization = offered.quantization
        wish.fmt.pix.colorspace = offered.colorspace
        return 0
    }

    private func set(_ wish: inout v4l2_streamparm) -> CInt {
        let wanted = wish.parm.capture.timeperframe
        let size = format(format.pixelformat)?.nearest(width: Int(format.width), height: Int(format.height))
        let rate = wanted.numerator == 0 ? 0 : Int(wanted.denominator / wanted.numerator)
        if let nearest = size?.rates.min(by: { abs($0 - rate) < abs($1 - rate) }) {
            interval = v4l2_fract(numerator: 1, denominator: UInt32(nearest))
        }
        return tell(&wish)
    }

    private func tell(_ answer: inout v4l2_streamparm) -> CInt {
        answer.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
        answer.parm.capture.timeperframe = interval
        return 0
    }

    private func give(_ request: inout v4l2_requestbuffers, to descriptor: CInt) -> CInt {
        guard request.memory == V4L2_MEMORY_MMAP.rawValue else { return -EINVAL }
        if request.count > 0 { request.count = UInt32(device.bufferCount ?? min(Int(request.count), 32)) }
        allocate(Int(request.count))
        owner = request.count > 0 ? descriptor : nil
        return 0
    }

    private func describe(_ buffer: inout v4l2_buffer) -> CInt {
        guard memories.indices.contains(Int(buffer.index)) else { return -EINVAL }
        buffer.length = UInt32(memories[Int(buffer.index)].bytes.count)
        buffer.m.offset = Self.offset(of: Int(buffer.index))
        return 0
    }

    private func take(_ buffer: v4l2_buffer) -> CInt {
        guard memories.indices.contains(Int(buffer.index)), buffer.memory == V4L2_MEMORY_MMAP.rawValue else {
            return -EINVAL
        }
        return queue(Int(buffer.index)) ? 0 : -EINVAL
    }

    private func hand(_ buffer: inout v4l2_buffer) -> CInt {
        guard isStreaming else { return -EINVAL }
        if isBroken { return -EIO }
        guard let filled = dequeue() else { return -EAGAIN }
        buffer = filled
        return 0
    }

    private func format(_ code: UInt32) -> FakeFormat? { device.formats.first { $0.fourCC == code } }

    /// Where mmap finds the buffer.
    static func offset(of index: Int) -> UInt32 { UInt32(index) << 16 }

    /// The buffer at an offset.
    func memory(at offset: Int64) -> FakeMemory? {
        memories.indices.first { Int64(Self.offset(of: $0)) == offset }.map { memories[$0] }
    }
}

extension UnsafeMutableRawPointer {
    fileprivate func `as`<Argument>(_: Argument.Type) -> UnsafeMutablePointer<Argument> {
        assumingMemoryBound(to: Argument.self)
    }
}

/// Fills a C array with text, ended by a NUL.
private func write<Array>(_ text: String, to array: inout Array) {
    withUnsafeMutableBytes(of: &array) { bytes in
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        bytes.copyBytes(from: text.utf8.prefix(bytes.count - 1))
    }
}
