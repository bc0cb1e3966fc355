import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Lets a transaction's synchronous body wait for the test.
final class Flag: Sendable {
    private let isSet = Atomic(false)

    var isUp: Bool { isSet.load(ordering: .acquiring) }

    func set() {
        isSet.store(true, ordering: .releasing)
    }

    func wait() {
        while !isSet.load(ordering: .acquiring) { sched_yield() }
    }
}

/// A thread of its own for a task that may wait as above, so that it takes none from the others.
final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "perennial.tests.own-thread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
