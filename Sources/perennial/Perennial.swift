@main struct Perennial { static func main() {} }
