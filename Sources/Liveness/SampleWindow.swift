/// The last samples of a few measures, with their times, in memory that is allocated once.
struct SampleWindow {
    private struct Sample {
        var time: Duration
        var values: SIMD4<Double>
    }

    private var samples: [Sample]
    private var scratch: [Double]
    private var start = 0
    private(set) var count = 0

    /// A window for `capacity` samples; at 120 frames a second 128 samples are one second.
    init(capacity: Int = 128) {
        samples = Array(repeating: Sample(time: .zero, values: .zero), count: capacity)
        scratch = Array(repeating: 0, count: capacity)
    }

    /// Adds the newest sample; the oldest makes room.
    mutating func append(_ values: SIMD4<Double>, at time: Duration) {
        samples[(start + count) % samples.count] = Sample(time: time, values: values)
        if count < samples.count { count += 1 } else { start = (start + 1) % samples.count }
    }

    /// Forgets samples taken before `time`, but keeps the newest `fewest`.
    mutating func forget(before time: Duration, keeping fewest: Int) {
        while count > fewest, samples[start].time < time {
            start = (start + 1) % samples.count
            count -= 1
        }
    }

    mutating func removeAll() {
        count = 0
    }

    /// The time of the oldest sample.
    var oldest: Duration? { count > 0 ? samples[start].time : nil }

    /// The percentile `part` (0-1) of measure `index`, interpolated between neighbours; nil while empty.
    mutating func percentile(_ part: Double, of index: Int) -> Double? {
        guard count > 0 else { return nil }
        for offset in 0..<count {
            insert(samples[(start + offset) % samples.count].values[index], intoSorted: offset)
        }
        let position = min(max(part, 0), 1) * Double(count - 1)
        let lower = Int(position)
        let upper = min(lower + 1, count - 1)
        return scratch[lower] + (scratch[upper] - scratch[lower]) * (position - Double(lower))
    }

    /// Insertion into the first `length` sorted scratch values: windows are short, and nothing is allocated.
    private mutating func insert(_ value: Double, intoSorted length: Int) {
        var place = length
        while place > 0, scratch[place - 1] > value {
            scratch[place] = scratch[place - 1]
            place -= 1
        }
        scratch[place] = value
    }
}
