import NIOCore

/// Runs what a connection's task does on the thread that reads and writes the connection, so that
/// a request which needs little changes no thread at all.
///
/// That thread has other connections too. What may take longer is given to threads of its own:
/// `Endpoint.isBrief`.
final class ConnectionThread: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
