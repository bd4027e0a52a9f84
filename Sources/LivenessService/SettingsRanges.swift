import Clip
import Liveness
import Platform
import Settings

/// Checks values against their ranges and keeps what is wrong.
private struct RangeCheck {
    private(set) var violations: [SettingViolation] = []

    mutating func expect<Value: Comparable>(_ value: Value, _ range: ClosedRange<Value>, _ key: String) {
        if range.contains(value) { return }
        violations.append(
            SettingViolation(key: key, message: "must be from \(range.lowerBound) to \(range.upperBound)"))
    }

    mutating func expect(_ holds: Bool, _ key: String, _ message: String) {
        if !holds { violations.append(SettingViolation(key: key, message: message)) }
    }
}

extension LivenessSettings: ValidatedSettings {
    /// Values beyond which the rules would mean something else.
    public func validate() -> [SettingViolation] {
        var check = RangeCheck()
        check.expect(settlingMs, 0...5000, "settling_ms")
        check.expect(framingMs, 100...60_000, "framing_ms")
        check.expect(capMs, 1000...120_000, "cap_ms")
        check.expect(autoshotFrames, 1...30, "autoshot_frames")
        check.expect(guideCentreX, 0...1, "guide_centre_x")
        check.expect(guideCentreY, 0...1, "guide_centre_y")
        check.expect(guideRadius, 0.1...1, "guide_radius")
        check.expect(guideSmallestFace, 0.05...0.95, "guide_smallest_face")
        check.expect(guideLargestFace, 0.05...1, "guide_largest_face")
        check.expect(guideLargestFace >= guideSmallestFace, "guide_largest_face", "is below guide_smallest_face")
        check.expect(blinkClosure, 0.05...1, "blink_closure")
        check.expect(closureFloor, 0...0.5, "closure_floor")
        check.expect(closureSpan, 0.1...0.9, "closure_span")
        check.expect(baselineMs, 100...5000, "baseline_ms")
        check.expect(baselineFrames, 2...60, "baseline_frames")
        check.expect(baselinePercentile, 0.5...1, "baseline_percentile")
        check.expect(closureYawLimit, 1...45, "closure_yaw_limit")
        check.expect(closurePitchLimit, 1...45, "closure_pitch_limit")
        check.expect(closureSharpness, 0...1, "closure_sharpness")
        check.expect(turnDegrees, 3...45, "turn_degrees")
        check.expect(turnFrames, 1...30, "turn_frames")
        check.expect(restMs, 0...5000, "rest_ms")
        check.expect(restFrames, 1...60, "rest_frames")
        check.expect(runGapMs, 34...2000, "run_gap_ms")
        check.expect(lostMs, 100...10_000, "lost_ms")
        check.expect(jumpDistance, 0.1...10, "jump_distance")
        check.expect(jumpRatio, 1.1...10, "jump_ratio")
        check.expect(snapshotMs, 0...5000, "snapshot_ms")
        check.expect(snapshotYaw, 1...45, "snapshot_yaw")
        check.expect(slowestFrameRate, 0...120, "slowest_frame_rate")
        check.expect(darkFace, 0...255, "dark_face")
        check.expect(brightFace, 0...255, "bright_face")
        check.expect(brightFace >= darkFace, "bright_face", "is below dark_face")
        check.expect(blurredFace, 0...10_000, "blurred_face")
        check.expect(blockedContrast, 0...127, "blocked_contrast")
        check.expect(hintMs, 0...10_000, "hint_ms")
        return check.violations
    }
}

extension ClipSettings: ValidatedSettings {
    /// What x264 takes.
    public func validate() -> [SettingViolation] {
        let presets = ["ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow"]
        var check = RangeCheck()
        check.expect(bitRate, 20_000...20_000_000, "bit_rate")
        check.expect(maximumWidth, 64...4096, "maximum_width")
        check.expect(presets.contains(preset), "preset", "must be one of \(presets.joined(separator: ", "))")
        return check.violations
    }
}

extension StillSettings: ValidatedSettings {
    /// What a face can still be matched from.
    public func validate() -> [SettingViolation] {
        var check = RangeCheck()
        check.expect(quality, 0.3...1, "quality")
        return check.violations
    }
}

extension MountingSettings: ValidatedSettings {
    /// Quarter turns only.
    public func validate() -> [SettingViolation] {
        var check = RangeCheck()
        check.expect([0, 90, 180, 270].contains(rotation), "rotation", "must be 0, 90, 180 or 270")
        return check.violations
    }
}

extension SocketSettings: ValidatedSettings {
    /// A path that fits into a socket's address, and permission bits.
    public func validate() -> [SettingViolation] {
        var check = RangeCheck()
        check.expect(path.hasPrefix("/") && path.utf8.count <= 107, "path", "must be absolute and 107 bytes at most")
        check.expect(permissions != nil, "mode", "must be an octal number up to 0777, in quotes")
        return check.violations
    }
}

extension LogSettings: ValidatedSettings {
    /// A level's name.
    public func validate() -> [SettingViolation] {
        var check = RangeCheck()
        let names = LogLevel.allCases.map(\.name).joined(separator: ", ")
        check.expect(threshold != nil, "level", "must be one of \(names)")
        return check.violations
    }
}
