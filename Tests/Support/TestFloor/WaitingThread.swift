#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread for something that waits in a system call. Those of Dispatch are 255 at most, and the
/// databases of all tests that run beside may have taken them.
enum WaitingThread {
    /// What a thread is to do, behind a pointer.
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func start(_ run: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(Body(run)).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = pthread_create(&thread, nil, { WaitingThread.enter($0) }, body)
            if let thread { pthread_detach(thread) }
        #else
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, { WaitingThread.enter($0!) }, body)
            if code == 0 { pthread_detach(thread) }
        #endif
        precondition(code == 0, "no thread can be had: \(code)")
    }

    private static func enter(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
        return nil
    }
}
