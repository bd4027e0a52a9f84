/// An average head, to compare measured points with.
///
/// The 68 points are those of MediaPipe's canonical face model (Apache-2.0, canonical_face_model.obj), picked at the
/// places that the iBUG 300-W scheme marks.
public enum CanonicalFace {
    /// Where the point with the scheme's number `index` lies on the head, in centimetres: x to the subject's left,
    /// y up, z towards the camera.
    public static func point(_ index: Int) -> SIMD3<Double> { points[index] }

    static let points: InlineArray<68, SIMD3<Double>> = [
        SIMD3(-7.7431, 2.3650, -2.0052),
        SIMD3(-7.6642, 0.6731, -2.4359),
        SIMD3(-7.5422, -1.0493, -2.4313),
        SIMD3(-7.2709, -2.8909, -2.2525),
        SIMD3(-6.7197, -4.7886, -1.7454),
        SIMD3(-5.0853, -7.1786, 0.7147),
        SIMD3(-4.0689, -7.9931, 1.9251),
        SIMD3(-2.3090, -8.9742, 3.6091),
        SIMD3(0.0000, -9.4034, 4.2645),
        SIMD3(2.3090, -8.9742, 3.6091),
        SIMD3(4.0689, -7.9931, 1.9251),
        SIMD3(5.0853, -7.1786, 0.7147),
        SIMD3(6.7197, -4.7886, -1.7454),
        SIMD3(7.2709, -2.8909, -2.2525),
        SIMD3(7.5422, -1.0493, -2.4313),
        SIMD3(7.6642, 0.6731, -2.4359),
        SIMD3(7.7431, 2.3650, -2.0052),
        SIMD3(-5.7210, 4.2546, 2.8309),
        SIMD3(-4.9859, 4.8025, 3.7520),
        SIMD3(-3.9866, 5.1095, 4.4663),
        SIMD3(-2.7603, 5.1010, 5.0160),
        SIMD3(-1.3956, 5.0120, 5.3160),
        SIMD3(1.3956, 5.0120, 5.3160),
        SIMD3(2.7603, 5.1010, 5.0160),
        SIMD3(3.9866, 5.1095, 4.4663),
        SIMD3(4.9859, 4.8025, 3.7520),
        SIMD3(5.7210, 4.2546, 2.8309),
        SIMD3(0.0000, 3.2710, 5.2360),
        SIMD3(0.0000, 2.4733, 5.7886),
        SIMD3(0.0000, 1.0594, 6.7746),
        SIMD3(0.0000, -0.4632, 7.5866),
        SIMD3(-1.4056, -1.7142, 5.2411),
        SIMD3(-0.5974, -2.0137, 5.8665),
        SIMD3(0.0000, -2.0890, 6.0583),
        SIMD3(0.5974, -2.0137, 5.8665),
        SIMD3(1.4056, -1.7142, 5.2411),
        SIMD3(-4.4459, 2.6640, 3.1734),
        SIMD3(-3.6701, 2.9277, 3.7243),
        SIMD3(-2.7240, 2.9618, 3.8718),
        SIMD3(-1.8564, 2.5852, 3.7579),
        SIMD3(-2.7240, 2.3158, 3.7772),
        SIMD3(-3.6701, 2.3602, 3.6352),
        SIMD3(1.8564, 2.5852, 3.7579),
        SIMD3(2.7240, 2.9618, 3.8718),
        SIMD3(3.6701, 2.9277, 3.7243),
        SIMD3(4.4459, 2.6640, 3.1734),
        SIMD3(3.6701, 2.3602, 3.6352),
        SIMD3(2.7240, 2.3158, 3.7772),
        SIMD3(-2.4562, -4.3426, 4.2839),
        SIMD3(-1.4316, -3.5010, 5.4962),
        SIMD3(-0.7115, -3.3294, 5.8770),
        SIMD3(0.0000, -3.4064, 5.9795),
        SIMD3(0.7115, -3.3294, 5.8770),
        SIMD3(1.4316, -3.5010, 5.4962),
        SIMD3(2.4562, -4.3426, 4.2839),
        SIMD3(1.3251, -5.1065, 5.2050),
        SIMD3(0.6996, -5.2919, 5.4483),
        SIMD3(0.0000, -5.3651, 5.5354),
        SIMD3(-0.6996, -5.2919, 5.4483),
        SIMD3(-1.3251, -5.1065, 5.2050),
        SIMD3(-2.1531, -4.2763, 4.0381),
        SIMD3(-0.5334, -3.9932, 5.1382),
        SIMD3(0.0000, -3.9944, 5.2195),
        SIMD3(0.5334, -3.9932, 5.1382),
        SIMD3(2.1531, -4.2763, 4.0381),
        SIMD3(0.5832, -4.5180, 5.3399),
        SIMD3(0.0000, -4.5424, 5.4048),
        SIMD3(-0.5832, -4.5180, 5.3399),
    ]

    /// The pseudo-inverse of the 68 x 3 matrix A of the centred points, one column each: `(A^T A)^-1 A^T`.
    ///
    /// Its columns add up to zero, so it may be applied to image points that were not centred.
    static let pseudoInverse: InlineArray<68, SIMD3<Double>> = {
        var centre = SIMD3<Double>.zero
        for index in 0..<68 { centre += points[index] }
        centre /= 68
        var gram = SymmetricMatrix()
        for index in 0..<68 { gram.addSquare(of: points[index] - centre) }
        let inverse = gram.inverse
        var result = InlineArray<68, SIMD3<Double>>(repeating: .zero)
        for index in 0..<68 { result[index] = inverse.times(points[index] - centre) }
        return result
    }()
}

/// A symmetric 3 x 3 matrix.
struct SymmetricMatrix {
    private var diagonal = SIMD3<Double>.zero
    /// The elements yz, zx and xy.
    private var mixed = SIMD3<Double>.zero

    /// Adds the outer product of `vector` with itself.
    mutating func addSquare(of vector: SIMD3<Double>) {
        diagonal += vector * vector
        mixed += SIMD3(vector.y * vector.z, vector.z * vector.x, vector.x * vector.y)
    }

    /// The inverse, by cofactors; the matrix must not be singular.
    var inverse: SymmetricMatrix {
        let (d, m) = (diagonal, mixed)
        var result = SymmetricMatrix()
        result.diagonal = SIMD3(d.y * d.z - m.x * m.x, d.z * d.x - m.y * m.y, d.x * d.y - m.z * m.z)
        result.mixed = SIMD3(m.y * m.z - d.x * m.x, m.z * m.x - d.y * m.y, m.x * m.y - d.z * m.z)
        let determinant = d.x * result.diagonal.x + m.z * result.mixed.z + m.y * result.mixed.y
        result.diagonal /= determinant
        result.mixed /= determinant
        return result
    }

    /// The matrix times a column vector.
    func times(_ v: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            diagonal.x * v.x + mixed.z * v.y + mixed.y * v.z,
            mixed.z * v.x + diagonal.y * v.y + mixed.x * v.z,
            mixed.y * v.x + mixed.x * v.y + diagonal.z * v.z)
    }
}
