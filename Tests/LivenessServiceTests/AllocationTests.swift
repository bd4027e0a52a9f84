import Foundation
import Testing

@Suite struct AllocationTests {
    @Test func `our own code allocates nothing on the way of a frame, and libraries no more than before`() throws {
        let result = try Programs.run(try Programs.path("frame-allocations"), [])
        #expect(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines {
            let words = line.split(separator: " ")
            let numbers = words.compactMap { Int($0) }
            try #require(numbers.count == 3)
            print("measured: allocations in 1,000 frames: \(line)")
            #expect(numbers[0] == 0, "\(line)")
            // The same fifty pictures again and again: what libraries allocate for them does not grow.
            #expect(Double(numbers[2]) <= Double(numbers[1]) * 1.02)
        }
    }
}
