import Camera
import Imaging
import Platform

/// A scan without threads: each frame of a source is judged before the next is asked for, so that the result does not
/// depend on how fast this machine is.
public struct InlineScan {
    private let source: any FrameSource
    private let pipeline: ScanPipeline

    /// The longest that a file's next picture is waited for.
    private static let patience = Duration.seconds(10)

    /// Judges what `source` gives with `pipeline`.
    public init(source: any FrameSource, pipeline: ScanPipeline) {
        self.source = source
        self.pipeline = pipeline
    }

    /// Runs to the terminal event, which is `camera_lost` where the source ends before a verdict. `onFrame` gets each
    /// frame's time and the pipeline after it.
    ///
    /// - Throws: whatever the two functions throw.
    public func run(
        onEvent: (ScanEvent) throws -> Void, onFrame: (Duration, ScanPipeline) throws -> Void = { _, _ in }
    ) throws {
        defer { source.close() }
        var time = Duration.zero
        while !pipeline.isOver {
            let frame = next()
            let events: [ScanEvent]
            switch frame {
            case .success(let frame?):
                time = frame.time
                events = pipeline.process(frame)
            case .success(nil): events = pipeline.fail(.cameraLost, "the source ended before a verdict", at: time)
            case .failure(let error): events = pipeline.fail(error.reason, error.message, at: time)
            }
            if case .success(.some) = frame { try onFrame(time, pipeline) }
            for event in events { try onEvent(event) }
        }
    }

    private func next() -> Result<Frame?, CameraError> {
        Result { () throws(CameraError) in
            guard case .frame(let frame) = try source.next(timeout: Self.patience) else { return nil }
            return frame
        }
    }
}
