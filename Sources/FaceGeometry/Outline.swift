extension FaceLandmarks {
    /// The smallest upright rectangle round all 68 points, in pixels: brows to chin, ear to ear.
    public var outline: FaceBox {
        var low = self[0]
        var high = self[0]
        for index in 1..<FaceLandmarks.count {
            low = pointwiseMin(low, self[index])
            high = pointwiseMax(high, self[index])
        }
        return FaceBox(left: low.x, top: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    /// The middle of the outline, in pixels.
    public var centre: ImagePoint { outline.centre }

    /// From one end of the jaw line to the other (points 0 and 16), in pixels. Shrinks as the head turns.
    public var jawWidth: Double { distance(0, 16) }

    /// Whether every point lies in the circle or on it. Units are those of the points: pixels.
    public func isInside(circleAt centre: ImagePoint, radius: Double) -> Bool {
        for index in 0..<FaceLandmarks.count where (self[index] - centre).length > radius { return false }
        return true
    }
}
