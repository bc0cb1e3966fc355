import FoundationEssentials

/// The environment variables.
enum Variables {
    /// Those of the process, unless a command line is done with others.
    @TaskLocal static var current = ProcessInfo.processInfo.environment
}

extension [String: String] {
    /// What an environment variable is set to; nil also where it is empty, which is how a shell or
    /// a Makefile takes one back for a single command.
    func variable(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
