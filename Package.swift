// swift-tools-version: 6.2
import PackageDescription

// MARK: How every target is compiled

/// `deploy/fuzz` sets it: our modules are instrumented for libFuzzer, and the parsers' tests become a program that it drives.
let isFuzzing = Context.environment["KAMPONG_FUZZ"] == "1"

/// `deploy/test --service Chat` sets it: nothing is built but that service, its tests and the contract's, and what they stand on.
let onlyService = Context.environment["KAMPONG_SERVICE"]

/// Swift 6 mode comes with the tools version; these are what the next language mode will bring, and no warning survives.
let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        // An asynchronous function runs where its caller does. Elsewhere it would ask at each call and return which executor that is.
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ] + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer", "-O"])] : [])

// MARK: What comes from elsewhere

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let jwt: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let serviceContext: Target.Dependency = .product(name: "ServiceContextModule", package: "swift-service-context")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let tracing: Target.Dependency = .product(name: "Tracing", package: "swift-distributed-tracing")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

let packages: [Package.Dependency] = [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
    // Without JSON, which would link all of Foundation.
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["CommandLineArguments"]),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-service-context", from: "1.5.1"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
]

// MARK: Declaring a part in one line

/// A module map (and shims, where C macros or varargs need one) for a C library that the system's packages bring.
func cLibrary(_ name: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Shared/\(name)", pkgConfig: pkgConfig)
}

/// A module under `Shared/`.
func shared(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Shared/\(name)", exclude: ["README.md"], resources: resources,
        swiftSettings: strict)
}

/// The tests of one or more modules, under `Tests/`.
func tests(_ name: String, of dependencies: [Target.Dependency], resources: [Resource] = [], exclude: [String] = [])
    -> Target
{
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, resources: resources,
        swiftSettings: strict)
}

/// What every service is built from.
let house: [Target.Dependency] = [
    "WireProtocol", "PlainText", "Messaging", "ServiceKit", "Reactor", logging, metrics, lifecycle, configuration,
]

/// A service: the library `<Name>Service` in `Services/<Name>`, its executable in `Services/<Name>/Main`, and its tests.
func service(
    _ name: String, stateful: Bool = true, uses own: [Target.Dependency] = [], exclude: [String] = [],
    resources: [Resource] = [], testedWith tools: [Target.Dependency] = [], besides notes: [String] = []
) -> [Target] {
    let library = "\(name)Service"
    let dependencies = house + (stateful ? ["DurableMessaging", "People", "Postgres"] : []) + own
    return [
        .target(
            name: library, dependencies: dependencies, path: "Services/\(name)",
            exclude: ["Main", "README.md"] + exclude, resources: resources, swiftSettings: strict),
        .executableTarget(
            name: name.lowercased(), dependencies: [.byName(name: library)],
            path: "Services/\(name)/Main", swiftSettings: strict),
        tests(
            "\(library)Tests", of: [.byName(name: library), "TestKit", "ZeroMQ"] + tools + dependencies, exclude: notes),
    ]
}

/// The parsers and what they promise: tests over the corpus that is kept, or the fuzzer's program.
func fuzzing(of dependencies: [Target.Dependency]) -> Target {
    isFuzzing
        ? .executableTarget(
            name: "fuzz", dependencies: dependencies, path: "Tests/FuzzTests",
            exclude: ["README.md", "Corpus", "ReplayTests.swift"],
            swiftSettings: strict)
        : tests("FuzzTests", of: dependencies, resources: [.copy("Corpus")], exclude: ["README.md", "Main"])
}

// MARK: The parts

let package = Package(
    name: "kampong",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "KampongClient", targets: ["KampongClient"])],
    dependencies: packages,
    targets: [
        cLibrary("CLinux"),
        cLibrary("CZeroMQ"),
        cLibrary("CPostgres", pkgConfig: "libpq"),
        cLibrary("CSodium"),
        cLibrary("CCurl"),
        cLibrary("CFIDO2"),
        cLibrary("CZlib"),
        shared("Reactor", ["CLinux"]),
        shared("ZeroMQ", ["CZeroMQ", "Reactor", logging]),
        shared("Postgres", ["CPostgres", "Reactor", deque, logging, metrics]),
        shared("Argon2", ["CSodium"]),
        shared("FIDO2", ["CFIDO2"]),
        shared("WebClient", ["CCurl", "Reactor"]),
        shared("PlainText"),
        shared("HTMLTemplates", ["PlainText", mustache]),
        shared("WireProtocol", ["PlainText"]),
        shared("Sentences", ["WireProtocol"], resources: [.copy("Notices")]),
        shared(
            "Messaging",
            ["WireProtocol", "ZeroMQ", "Reactor", deque, logging, metrics, tracing, lifecycle, serviceContext]),
        shared(
            "DurableMessaging",
            [
                "Messaging", "WireProtocol", "Postgres", "Reactor", configuration, crypto, logging, metrics, lifecycle,
                tracing, serviceContext,
            ]),
        shared("People", ["DurableMessaging", "Messaging", "WireProtocol", "Postgres", "Reactor", logging, lifecycle]),
        shared(
            "ServiceKit",
            [
                "Reactor", "ZeroMQ", "Messaging", "WireProtocol", "PlainText", configuration, hummingbird, logging,
                metrics,
                coreMetrics, tracing, serviceContext, lifecycle, unixSignals, nio, nioPosix, httpTypes,
            ]),
        shared("KampongClient", ["WireProtocol"]),
        .target(
            name: "StreetNetwork", dependencies: ["WireProtocol", crypto, heap], path: "Services/Places/Streets",
            exclude: ["Main", "README.md"], swiftSettings: strict),
        .executableTarget(
            name: "streets",
            dependencies: ["StreetNetwork", "WireProtocol", argumentParser, subprocess, systemPackage],
            path: "Services/Places/Streets/Main", swiftSettings: strict),
        .target(
            name: "MatchEngine", dependencies: ["WireProtocol"], path: "Services/Matching/Engine",
            exclude: ["README.md"], swiftSettings: strict),
        shared(
            "TestKit",
            [
                "Reactor", "ZeroMQ", "Postgres", "Messaging", "DurableMessaging", "ServiceKit", "Supervisor",
                "KampongClient", "WireProtocol", hummingbird, nio, logging, lifecycle, systemPackage,
            ]),

        tests("ReactorTests", of: ["Reactor"]),
        tests("ZeroMQTests", of: ["ZeroMQ", "Reactor", "TestKit", logging]),
        tests("PostgresTests", of: ["Postgres", "Reactor", "TestKit", logging]),
        tests("PlainTextTests", of: ["PlainText", "HTMLTemplates", mustache]),
        tests("Argon2Tests", of: ["Argon2"]),
        tests("FIDO2Tests", of: ["FIDO2"], resources: [.copy("Vectors")], exclude: ["make_vectors.py"]),
        tests("WebClientTests", of: ["WebClient", "TestKit", hummingbird, nio]),
        tests("ContractTests", of: ["WireProtocol"], resources: [.copy("Fixtures")]),
        tests("SentencesTests", of: ["Sentences", "ServiceKit", "WireProtocol"]),
        tests(
            "MessagingTests",
            of: [
                "Messaging", "WireProtocol", "ZeroMQ", "Reactor", "ServiceKit", "TestKit", coreMetrics, logging,
                lifecycle,
                serviceContext, tracing,
            ]),
        tests(
            "DurableMessagingTests",
            of: [
                "DurableMessaging", "Messaging", "People", "WireProtocol", "ZeroMQ", "Postgres", "Reactor", "TestKit",
                logging,
                lifecycle,
            ]),
        tests(
            "ServiceKitTests",
            of: [
                "ServiceKit", "Supervisor", "TestKit", "Reactor", "WireProtocol", "ZeroMQ", configuration, coreMetrics,
                logging, metrics, lifecycle, serviceContext, tracing,
            ]),
        tests("TestKitTests", of: ["TestKit", "Supervisor", "Postgres", "WireProtocol"]),
        tests("KampongClientTests", of: ["KampongClient", "WireProtocol"]),
        tests(
            "StreetNetworkTests", of: ["StreetNetwork", "WireProtocol", crypto],
            exclude: ["compare.py", "rules.py", "source.py", "requirements.txt"]),
        tests("MatchEngineTests", of: ["MatchEngine", "WireProtocol"]),
        fuzzing(of: [
            "WireProtocol", "PlainText", "ZeroMQ", "Messaging", "Postgres", "ServiceKit", "KampongClient",
            "AuthService", "GatewayService", "ListingsService", "PlacesService", "StreetNetwork", "FIDO2", crypto,
            hummingbird,
        ]),
        tests(
            "LedgerTests",
            of: ["TestKit", "KampongClient", "GatewayService", "Messaging", "WireProtocol", "Supervisor"]),
        tests("StackTests", of: ["KampongClient", "WireProtocol", "TestKit", "Postgres", "Supervisor", logging]),

        .target(
            name: "Supervisor", dependencies: ["CLinux", logging, lifecycle],
            path: "deploy/Supervisor",
            exclude: ["Main", "README.md"], swiftSettings: strict),
        .executableTarget(
            name: "kampong",
            dependencies: [
                "Supervisor", "ServiceKit", "DurableMessaging", "Messaging", "Postgres", "WireProtocol", "ZeroMQ",
                "Reactor",
                argumentParser,
                configuration, logging, lifecycle, unixSignals,
            ],
            path: "deploy/Supervisor/Main", swiftSettings: strict),
        tests("SupervisorTests", of: ["Supervisor", "TestKit", lifecycle, logging]),
        tests("DemoTests", of: ["demo", "WireProtocol"]),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "Argon2", "DurableMessaging", "MatchEngine", "Messaging", "Postgres", "Reactor", "StreetNetwork",
                "WireProtocol", "ZeroMQ",
                argumentParser, hummingbird, lifecycle, logging, nio,
            ],
            path: "Tests/Benchmarks/Programs", swiftSettings: strict),
        .executableTarget(
            name: "token-benchmarks",
            dependencies: ["GatewayService", "WireProtocol", argumentParser, crypto, jwt, logging],
            path: "Tests/Benchmarks/Tokens", swiftSettings: strict),
        .executableTarget(
            name: "demo", dependencies: ["KampongClient", "WireProtocol", argumentParser], path: "deploy/Demo",
            exclude: ["README.md", "pictures", "people"], swiftSettings: strict),
    ]
        + service(
            "Auth", uses: ["Argon2", "FIDO2", "WebClient", crypto, jwt],
            testedWith: [cryptoExtras, httpTypes, hummingbird, nio])
        + service(
            "Listings", uses: [crypto], exclude: ["Rentals/README.md"], resources: [.copy("Data")])
        + service("Rides", uses: [crypto])
        + service("Matching", uses: ["MatchEngine", crypto], exclude: ["Engine", "Wanted/README.md"])
        + service("Chat", uses: [crypto])
        + service(
            "Notification",
            uses: ["CCurl", "HTMLTemplates", "Sentences", "WebClient", crypto, cryptoExtras, mustache],
            resources: [.copy("Templates")],
            testedWith: ["Supervisor", hummingbird, nio], besides: ["requirements.txt"])
        + service("Places", uses: ["StreetNetwork", argumentParser, crypto, systemPackage], exclude: ["Streets"])
        + service(
            "Gateway", stateful: false,
            uses: [
                "CZlib", "HTMLTemplates", "Sentences", crypto, hummingbird, hummingbirdCore, httpTypes, jwt, mustache,
                nio, nioHTTP, serviceContext, subprocess, systemPackage, tracing,
            ],
            exclude: ["Pages/README.md"],
            resources: [.copy("Templates"), .copy("Assets"), .copy("Strings"), .copy("OpenAPI")])
)

// MARK: One service by itself

/// The named targets, and all that they stand on.
func whole(_ names: Set<String>, of targets: [Target]) -> [Target] {
    let below = targets.filter { names.contains($0.name) }.flatMap(\.dependencies).compactMap { dependency in
        switch dependency {
        case .byNameItem(let name, _), .targetItem(let name, _): name
        default: nil
        }
    }
    let all = names.union(below)
    return all == names ? targets.filter { names.contains($0.name) } : whole(all, of: targets)
}

if let onlyService {
    package.products = []
    package.targets = whole(["\(onlyService)ServiceTests", "ContractTests"], of: package.targets)
}
