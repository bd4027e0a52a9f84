extension FaceLandmarks {
    /// Eye aspect ratio of the eye on the picture's left (points 36-41), the subject's right one where the picture
    /// is not mirrored.
    ///
    /// Height over width of the opening, without unit; 0.24 to 0.48 for an open eye, depending on the person
    /// (research/vision.md). Soukupova and Cech, "Real-Time Eye Blink Detection using Facial Landmarks", 2016, eq. 1.
    /// Zero where the eye has no width.
    public var leftEyeAspectRatio: Double { eyeAspectRatio(firstPoint: 36) }

    /// Eye aspect ratio of the eye on the picture's right (points 42-47), as `leftEyeAspectRatio`.
    public var rightEyeAspectRatio: Double { eyeAspectRatio(firstPoint: 42) }

    /// The mean of both eyes' aspect ratios.
    public var eyeAspectRatio: Double { (leftEyeAspectRatio + rightEyeAspectRatio) / 2 }

    private func eyeAspectRatio(firstPoint p1: Int) -> Double {
        let width = distance(p1, p1 + 3)
        guard width > 0 else { return 0 }
        return (distance(p1 + 1, p1 + 5) + distance(p1 + 2, p1 + 4)) / (2 * width)
    }

    /// From the middle of one eye to that of the other, in pixels; a middle is the mean of the eye's six points.
    public var interEyeDistance: Double { (mean(42...47) - mean(36...41)).length }

    /// The mean of the points with numbers in `range`.
    func mean(_ range: ClosedRange<Int>) -> ImagePoint {
        var sum = ImagePoint.zero
        for index in range { sum += self[index] }
        return sum / Double(range.count)
    }

    /// From one point to the other, in pixels.
    func distance(_ one: Int, _ other: Int) -> Double { (self[one] - self[other]).length }
}

extension ImagePoint {
    /// The Euclidean norm.
    var length: Double { (x * x + y * y).squareRoot() }
}
