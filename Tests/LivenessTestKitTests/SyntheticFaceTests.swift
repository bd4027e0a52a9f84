import FaceGeometry
import Imaging
import LivenessTestKit
import Testing

@Suite struct SyntheticFaceTests {
    @Test(arguments: SyntheticPortrait.Name.allCases)
    func `measured yaw follows what is asked for`(name: SyntheticPortrait.Name) throws {
        var following = try FaceFollowing(SyntheticScene([try SyntheticPortrait(name)]))
        let rest = try #require(try following.median(SyntheticPose()) { $0.pose?.yaw })
        #expect(abs(rest) < 4)
        for yaw in [-20.0, -15, -10, -5, 5, 10, 15, 20] {
            let measured = try #require(try following.median(SyntheticPose(yaw: yaw)) { $0.pose?.yaw }) - rest
            #expect(abs(measured - yaw) < max(0.6, 0.1 * abs(yaw)), "asked for \(yaw), measured \(measured)")
        }
    }

    @Test(arguments: SyntheticPortrait.Name.allCases)
    func `measured pitch and roll follow in direction and size`(name: SyntheticPortrait.Name) throws {
        var following = try FaceFollowing(SyntheticScene([try SyntheticPortrait(name)]))
        let pitch = try #require(try following.median(SyntheticPose()) { $0.pose?.pitch })
        let roll = try #require(try following.median(SyntheticPose()) { $0.pose?.roll })
        for angle in [-8.0, 8] {
            let pitched = try #require(try following.median(SyntheticPose(pitch: angle)) { $0.pose?.pitch }) - pitch
            let rolled = try #require(try following.median(SyntheticPose(roll: angle)) { $0.pose?.roll }) - roll
            #expect(abs(pitched - angle) < 5, "asked for pitch \(angle), measured \(pitched)")
            #expect(abs(rolled - angle) < 2, "asked for roll \(angle), measured \(rolled)")
        }
    }

    @Test(arguments: SyntheticPortrait.Name.allCases, [false, true])
    func `measured EAR falls as the lids close`(name: SyntheticPortrait.Name, glasses: Bool) throws {
        var scene = SyntheticScene([try SyntheticPortrait(name)])
        scene.glasses = glasses
        var following = try FaceFollowing(scene)
        let open = try #require(try following.median(SyntheticPose()) { $0.eyeAspectRatio })
        var parts: [Double] = []
        for closure in [0.1, 0.3, 0.6, 1] {
            let pose = SyntheticPose(closure: closure)
            parts.append(try #require(try following.median(pose) { $0.eyeAspectRatio }) / open)
        }
        #expect(parts == parts.sorted(by: >), "\(parts)")
        #expect(parts[0] > 0.88)
        #expect(parts[3] < 0.6)
    }

    @Test func `a mirrored camera flips yaw's sign`() throws {
        var scene = SyntheticScene([try SyntheticPortrait(.first)])
        scene.mirrored = true
        var following = try FaceFollowing(scene)
        let rest = try #require(try following.median(SyntheticPose()) { $0.pose?.yaw })
        let turned = try #require(try following.median(SyntheticPose(yaw: 12)) { $0.pose?.yaw })
        #expect(turned - rest < -9)
    }

    @Test(arguments: [Orientation.Rotation.quarter, .half, .threeQuarters])
    func `a turned camera's pictures are made upright again`(rotation: Orientation.Rotation) throws {
        var scene = SyntheticScene([try SyntheticPortrait(.second)])
        scene.rotation = rotation
        var following = try FaceFollowing(scene)
        let roll = try #require(try following.median(SyntheticPose()) { $0.pose?.roll })
        #expect(abs(roll) < 10)
    }

    @Test(arguments: [0.25, 0.32, 0.45, 0.6])
    func `the face is found at every size that a booth gives`(jawWidth: Double) throws {
        var following = try FaceFollowing(SyntheticScene([try SyntheticPortrait(.third)]))
        let measured = try #require(try following.median(SyntheticPose(jawWidth: jawWidth)) { $0.jawWidth })
        #expect(abs(measured / 480 - jawWidth) < 0.05)
    }

    @Test func `two people of similar size are two, a small one behind is one`() throws {
        let people = try [SyntheticPortrait(.second), SyntheticPortrait(.first)]
        var scene = SyntheticScene(people)
        scene.width = 960
        scene.height = 540
        scene.background = .pattern(drift: .zero)
        let near = SyntheticPose(centre: SIMD2(0.7, 0.5), jawWidth: 0.36)
        for (size, expected) in [(0.34, 2), (0.16, 1)] {
            var following = try FaceFollowing(scene)
            var count = 0
            for _ in 0..<20 {
                count = try following.observe([SyntheticPose(centre: SIMD2(0.25, 0.5), jawWidth: size), near])
                    .comparableFaces
            }
            #expect(count == expected, "a second face of \(size)")
        }
    }

    @Test func `noise, blur, brightness and a moving background leave the face to be found`() throws {
        let portrait = try SyntheticPortrait(.first)
        var noisy = SyntheticScene([portrait])
        noisy.noise = 12
        var blurred = SyntheticScene([portrait])
        blurred.blur = 3
        var dark = SyntheticScene([portrait])
        dark.gain = 0.4
        var moving = SyntheticScene([portrait])
        moving.background = .pattern(drift: SIMD2(90, 20))
        for scene in [noisy, blurred, dark, moving] {
            var following = try FaceFollowing(scene)
            #expect(try following.median(SyntheticPose()) { $0.jawWidth } != nil)
        }
        var sharp = try FaceFollowing(SyntheticScene([portrait]))
        var soft = try FaceFollowing(blurred)
        let sharpness = try sharp.observe([SyntheticPose()]).face?.quality.sharpness ?? 0
        #expect(try soft.observe([SyntheticPose()]).face?.quality.sharpness ?? .infinity < sharpness / 4)
    }

    @Test func `the same seed draws the same bytes, another one does not`() throws {
        let draw = { (seed: UInt64) throws -> [UInt8] in
            var scene = SyntheticScene([try SyntheticPortrait(.first)])
            scene.seed = seed
            let renderer = SyntheticRenderer(scene)
            _ = renderer.draw([SyntheticPose()], at: .zero)
            return renderer.draw([SyntheticPose(yaw: 3)], at: .milliseconds(33)).bytes.withBytes(Array.init)
        }
        let first = try draw(1)
        #expect(try draw(1) == first)
        #expect(try draw(2) != first)
    }
}

@Suite struct SyntheticObservationTests {
    @Test(arguments: [-25.0, -7.5, 0, 5, 7.5, 20])
    func `yaw comes back as it was asked for`(yaw: Double) throws {
        let landmarks = SyntheticObservation().landmarks(of: SyntheticPose(yaw: yaw))
        #expect(abs(try #require(landmarks.pose).yaw - yaw) < 0.35)
        var mirrored = SyntheticObservation()
        mirrored.mirrored = true
        #expect(abs(try #require(mirrored.landmarks(of: SyntheticPose(yaw: yaw)).pose).yaw + yaw) < 0.35)
    }

    @Test(arguments: [0.0, 0.25, 0.5, 1])
    func `EAR falls linearly with closure`(closure: Double) {
        let landmarks = SyntheticObservation().landmarks(of: SyntheticPose(closure: closure))
        #expect(abs(landmarks.eyeAspectRatio - 0.30 * (1 - 0.75 * closure)) < 0.012)
    }

    @Test func `pitch and roll come back as they were asked for`() throws {
        let pose = try #require(SyntheticObservation().landmarks(of: SyntheticPose(pitch: 10, roll: -6)).pose)
        let level = try #require(SyntheticObservation().landmarks(of: SyntheticPose()).pose)
        #expect(abs(pose.pitch - level.pitch - 10) < 1.5)
        #expect(abs(pose.roll + 6) < 0.5)
    }
}
