import Glibc

/// Where tests find dlib's model, which no checkout contains.
public enum LandmarkModelFile {
    /// `LIVENESS_MODEL`, else where the product looks for it.
    public static var path: String {
        getenv("LIVENESS_MODEL").map { String(cString: $0) }
            ?? "/var/lib/liveness/models/shape_predictor_68_face_landmarks.dat"
    }
}
