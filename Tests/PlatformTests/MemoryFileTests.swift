import Glibc
import Platform
import Testing

@Suite struct MemoryFileTests {
    @Test func `a sealed file holds its bytes and can't be changed`() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let file = try MemoryFile.sealed("test", holding: bytes)
        #expect(try MemoryFile.read(file) == bytes)
        #expect(MemoryFile.isSealed(file))
        var byte: UInt8 = 1
        #expect(pwrite(file.number, &byte, 1, 0) == -1)
        #expect(ftruncate(file.number, 5) == -1)
    }

    @Test func `an open file is not sealed`() throws {
        #expect(!MemoryFile.isSealed(try MemoryFile.create("test")))
    }

    @Test func `a descriptor is closed with its last owner`() throws {
        var number: CInt = -1
        do {
            let file = try MemoryFile.create("test")
            number = file.number
            let twin = try file.duplicate()
            #expect(twin.number != number)
            #expect(fcntl(number, F_GETFD) >= 0)
        }
        #expect(fcntl(number, F_GETFD) == -1)
    }

    @Test func `a failed call names itself and its errno`() {
        #expect(throws: SystemError(call: "open", errno: ENOENT)) {
            try systemCall("open") { open("/nowhere/at/all", O_RDONLY) }
        }
        #expect(SystemError(call: "open", errno: ENOENT).description == "open: No such file or directory")
    }

    @Test func `a wake-up is seen once and may be repeated`() throws {
        let wakeUp = try WakeUp()
        func isReadable() -> Bool {
            var entry = pollfd(fd: wakeUp.descriptor.number, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, 0) == 1
        }
        #expect(!isReadable())
        wakeUp.signal()
        wakeUp.signal()
        #expect(isReadable())
        wakeUp.clear()
        #expect(!isReadable())
    }
}

@Suite struct DurationTests {
    @Test func `durations convert to whole and fractional units`() {
        #expect(Duration.milliseconds(1500).wholeNanoseconds == 1_500_000_000)
        #expect(Duration.milliseconds(-1500).wholeMilliseconds == -1500)
        #expect(Duration.milliseconds(1500).inSeconds == 1.5)
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    }

    @Test func `the monotonic clock does not go back`() {
        let first = MonotonicClock.now
        #expect(MonotonicClock.now >= first)
    }
}
