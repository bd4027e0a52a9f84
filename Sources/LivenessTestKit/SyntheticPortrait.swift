import FaceGeometry
import Foundation
import Imaging

/// A photograph that a synthetic person is drawn from.
public struct SyntheticPortrait: Sendable {
    /// The portraits that come with this library: public-domain studio photographs of people of different skin tones.
    public enum Name: Int, Sendable, CaseIterable {
        case first = 1
        case second = 2
        case third = 3
    }

    /// A portrait's files can't be read.
    public struct LoadingError: Error, CustomStringConvertible {
        /// Which file, and why.
        public let description: String
    }

    let picture: Picture
    let landmarks: FaceLandmarks

    /// Where the portraits lie beside this source file: in a checkout, never in an installation.
    public static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Portraits").path

    /// Loads a portrait from `folder`.
    ///
    /// - Throws: `LoadingError`.
    public init(_ name: Name, folder: String = SyntheticPortrait.folder) throws {
        let stem = "\(folder)/portrait-\(name.rawValue)"
        guard let jpeg = FileManager.default.contents(atPath: stem + ".jpg"),
            let list = FileManager.default.contents(atPath: stem + ".json"),
            let points = try? JSONDecoder().decode([[Double]].self, from: list), points.count == FaceLandmarks.count
        else { throw LoadingError(description: "\(stem).jpg or .json is missing or damaged") }
        var landmarks = FaceLandmarks()
        for (index, point) in points.enumerated() where point.count == 2 {
            landmarks[index] = ImagePoint(point[0], point[1])
        }
        self.landmarks = landmarks
        picture = try Self.decode(jpeg, name: stem)
    }

    private static func decode(_ jpeg: Data, name: String) throws -> Picture {
        var pool = FramePool()
        let bytes = jpeg.withUnsafeBytes { pool.copy($0) }
        // All portraits are of this size.
        let layout = FrameLayout(format: .jpeg, width: 512, height: 512, stride: 0, range: .full)
        var decoder = FrameDecoder()
        do {
            return try decoder.decode(
                Frame(bytes: bytes, layout: layout, time: .zero, sequence: 0, isDamaged: false)
            ).picture
        } catch {
            throw LoadingError(description: "\(name).jpg: \(error)")
        }
    }
}
