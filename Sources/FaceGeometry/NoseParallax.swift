extension FaceLandmarks {
    /// How far the nose's tip stands beside the place that a flat picture of the face would give it, over the distance
    /// between the outer corners of the eyes; without unit.
    ///
    /// Points of the eyes, mouth and jaw are fitted to the canonical face by an affine map, which is what tilting a flat
    /// photo does to them. The tip (point 30) of a real head leaves that plane when it turns: 0.096 (5th percentile)
    /// and more at 7.5 to 10 degrees, against 0.077 (95th) for a photo tilted by 40 degrees (research/vision.md,
    /// "nose2"). The sign is yaw's: positive where the head is turned to the subject's left. A photo bent to a cylinder
    /// and a replay on a screen pass. Zero where the eyes' corners coincide.
    public var noseParallax: Double {
        let axis = self[45] - self[36]
        let squaredLength = (axis * axis).sum()
        guard squaredLength > 0 else { return 0 }
        var shift = self[30]
        for index in 0..<FlatFace.anchorCount {
            shift -= FlatFace.noseWeights[index] * self[FlatFace.anchors[index]]
        }
        return (shift * axis).sum() / squaredLength
    }
}

/// The canonical face without its depth.
private enum FlatFace {
    static let anchorCount = 12
    /// Corners of the eyes and the mouth, and the sides of the jaw.
    static let anchors: InlineArray<12, Int> = [36, 39, 42, 45, 48, 54, 1, 2, 3, 13, 14, 15]

    /// What each anchor contributes to the place of the nose's tip.
    ///
    /// The least-squares affine map from the canonical anchors X (rows x, y, 1) to image points Q takes the canonical
    /// tip n to `n (X^T X)^-1 X^T Q`, which is linear in Q: these are the factors.
    static let noseWeights: InlineArray<12, Double> = {
        var gram = SymmetricMatrix()
        for index in 0..<anchorCount { gram.addSquare(of: flat(anchors[index])) }
        let tip = gram.inverse.times(flat(30))
        var weights = InlineArray<12, Double>(repeating: 0)
        for index in 0..<anchorCount { weights[index] = (flat(anchors[index]) * tip).sum() }
        return weights
    }()

    private static func flat(_ index: Int) -> SIMD3<Double> {
        let point = CanonicalFace.point(index)
        return SIMD3(point.x, point.y, 1)
    }
}
