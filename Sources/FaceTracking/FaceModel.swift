import CDlib
import FaceGeometry
import Imaging

// @unchecked: dlib's filters are constant after their creation, and nothing here writes to them.
/// dlib's frontal face detector, unpacked once: five filters for faces that look straight, to either side, and straight
/// but rolled to either side. Loading takes about 0.3 s.
public final class FaceDetector: @unchecked Sendable {
    let filters: OpaquePointer

    /// Unpacks the detector, which is part of dlib.
    public init() throws(FaceTrackingError) {
        guard let filters = CDlib_filters_create() else { throw .outOfMemory }
        self.filters = filters
    }

    deinit {
        CDlib_filters_destroy(filters)
    }
}

// @unchecked: the model is constant after its creation, and nothing here writes to it.
/// dlib's model of the 68 points, loaded once from its file. Loading takes about 0.6 s and 70 MB.
public final class LandmarkModel: @unchecked Sendable {
    private let predictor: OpaquePointer

    /// Loads the file at `path`.
    ///
    /// - Throws: `FaceTrackingError.modelMissing`, `FaceTrackingError.modelUnreadable`.
    public init(path: String) throws(FaceTrackingError) {
        var status = CDlib_done
        var text = InlineArray<200, CChar>(repeating: 0)
        var buffer = text.mutableSpan
        let predictor = buffer.withUnsafeMutableBufferPointer {
            CDlib_predictor_create(path, &status, $0.baseAddress, $0.count)
        }
        guard let predictor else {
            let detail = buffer.withUnsafeMutableBufferPointer { message in
                String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
            throw status == CDlib_missing
                ? .modelMissing(path: path, detail: detail) : .modelUnreadable(path: path, detail: detail)
        }
        self.predictor = predictor
    }

    deinit {
        CDlib_predictor_destroy(predictor)
    }

    /// The points of the face in `box`, in pixels of `picture`; nil for an empty picture or box.
    func landmarks(in picture: GreyView, box: FaceBox) -> FaceLandmarks? {
        var landmarks = FaceLandmarks()
        var coordinates = InlineArray<136, Float>(repeating: 0)
        var buffer = coordinates.mutableSpan
        let status = buffer.withUnsafeMutableBufferPointer { points in
            CDlib_landmarks(
                predictor, CDlib_picture(picture), box.left, box.top, box.left + box.width, box.top + box.height,
                points.baseAddress)
        }
        guard status == CDlib_done else { return nil }
        for index in 0..<FaceLandmarks.count {
            landmarks[index] = ImagePoint(Double(coordinates[2 * index]), Double(coordinates[2 * index + 1]))
        }
        return landmarks
    }
}

extension CDlib_picture {
    init(_ view: GreyView) {
        self.init(pixels: view.pixels, width: view.width, height: view.height, stride: view.stride)
    }
}

/// What a tracker needs and several may share.
public struct FaceModel: Sendable {
    /// Finds faces.
    public let detector: FaceDetector
    /// Finds a face's points.
    public let landmarks: LandmarkModel

    /// A model of parts that were loaded before.
    public init(detector: FaceDetector, landmarks: LandmarkModel) {
        self.detector = detector
        self.landmarks = landmarks
    }

    /// Loads both parts: the points' model from `landmarksPath`.
    ///
    /// - Throws: `FaceTrackingError`.
    public init(landmarksPath: String) throws(FaceTrackingError) {
        landmarks = try LandmarkModel(path: landmarksPath)
        detector = try FaceDetector()
    }
}
