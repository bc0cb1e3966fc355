/// What `/openapi.json` says of an operation.
struct OperationDescription: Sendable {
}
