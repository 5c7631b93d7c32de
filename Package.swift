// swift-tools-version: 6.2
import PackageDescription

// The folders of Sources/ are the layers; Docs/Architecture.md has the table of who may import whom,
// and ArchitectureTests holds this manifest and every import line to it.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

func swift(_ name: String, in layer: String, _ dependencies: [String] = []) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .byName(name: $0) },
    path: "Sources/\(layer)/\(name)", swiftSettings: strict)
}

func program(
  _ name: String, at path: String, _ dependencies: [String], _ flags: [String] = [], excluding: [String] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: path, exclude: excluding,
    swiftSettings: strict + (flags.isEmpty ? [] : [.unsafeFlags(flags)]))
}

func c(_ name: String, in layer: String, libraries: [String] = []) -> Target {
  .target(name: name, path: "Sources/\(layer)/C/\(name)", linkerSettings: libraries.map { .linkedLibrary($0) })
}

func library(_ name: String, in layer: String, package: String) -> Target {
  .systemLibrary(name: name, path: "Sources/\(layer)/C/\(name)", pkgConfig: package)
}

func tests(_ name: String, _ dependencies: [String]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: "Tests/\(name)",
    swiftSettings: strict)
}

let package = Package(
  name: "switchboard",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.executable(name: "switchboard", targets: ["switchboard"])],
  targets: [
    swift("Contract", in: "Contract"),

    library("COpenSSL", in: "Base", package: "openssl"),
    library("CSodium", in: "Base", package: "libsodium"),
    c("CRE2", in: "Base", libraries: ["re2"]),
    swift("Formats", in: "Base", ["Contract", "CRE2"]),
    swift("Runtime", in: "Base", ["Contract", "Formats"]),
    swift("Cryptography", in: "Base", ["Contract", "COpenSSL", "CSodium"]),

    swift("GSMText", in: "Protocols", ["Contract"]),
    swift("CarrierProfiles", in: "Protocols", ["Contract", "Formats", "Cryptography", "GSMText"]),
    swift("HTTPSMS", in: "Protocols", ["Contract", "Formats", "GSMText"]),
    swift("SMSGlobal", in: "Protocols", ["Contract", "Formats", "GSMText"]),

    c("CLinux", in: "System"),
    library("CSQLite", in: "System", package: "sqlite3"),
    c("CCurl", in: "System", libraries: ["curl"]),
    c("CPhoneNumber", in: "System", libraries: ["phonenumber"]),
    swift("Network", in: "System", ["Contract", "Runtime", "Formats", "Cryptography", "CLinux", "COpenSSL"]),
    swift("HTTPClient", in: "System", ["Contract", "Runtime", "CCurl"]),
    swift("Database", in: "System", ["Contract", "Runtime", "CSQLite"]),
    swift("PhoneNumbers", in: "System", ["Contract", "Runtime", "CPhoneNumber"]),

    swift("Delivery", in: "Exchange", ["Contract"]),
    swift(
      "Exchange", in: "Exchange",
      ["Contract", "Runtime", "Formats", "Cryptography", "GSMText", "Database", "PhoneNumbers", "Delivery"]),

    swift(
      "SMSChannel", in: "Channels",
      [
        "Contract", "Runtime", "Formats", "Cryptography", "GSMText", "CarrierProfiles", "Network",
        "HTTPClient", "Database", "Delivery", "Exchange",
      ]),

    swift("Doors", in: "Apps", ["Contract", "Runtime", "Formats", "Cryptography", "Network", "Database", "Exchange"]),
    swift(
      "Accounts", in: "Apps",
      [
        "Doors", "Contract", "Runtime", "Formats", "Cryptography", "GSMText", "Network", "Database", "PhoneNumbers",
        "Delivery", "Exchange",
      ]),
    swift(
      "Texts", in: "Apps",
      [
        "Doors", "Contract", "Runtime", "Formats", "Cryptography", "GSMText", "Network", "Database", "PhoneNumbers",
        "Delivery", "Exchange",
      ]),

    swift("WebApp", in: "Apps", ["Doors", "Formats", "Cryptography", "Network"]),

    c("CSandboxPage", in: "Sandbox"),
    swift(
      "Sandbox", in: "Sandbox",
      [
        "Contract", "Runtime", "Formats", "Cryptography", "GSMText", "HTTPSMS", "SMSGlobal", "Network", "HTTPClient",
        "CSandboxPage",
      ]),

    .target(name: "CResources", path: "Sources/Switchboard/CResources"),
    program(
      "switchboard", at: "Sources/Switchboard/Switchboard",
      [
        "Contract", "Formats", "Runtime", "Cryptography", "GSMText", "CarrierProfiles", "Network", "HTTPClient",
        "Database", "PhoneNumbers", "Delivery", "Exchange", "SMSChannel", "Doors", "Accounts", "Texts", "WebApp",
        "Sandbox", "CResources",
      ]),

    program(
      "Simulation", at: "Simulation",
      ["Contract", "Formats", "Runtime", "Cryptography", "Database", "Delivery", "Exchange", "PhoneNumbers"]),
    program(
      "Torture", at: "Torture", ["Contract", "Formats", "Runtime", "HTTPClient"]),
    program(
      "Benchmarks", at: "Benchmarks",
      [
        "Contract", "Formats", "Runtime", "Cryptography", "GSMText", "Network", "HTTPClient", "Database", "Delivery",
        "Exchange", "PhoneNumbers", "Accounts", "Texts",
      ]),
    program(
      "Fuzz", at: "Fuzz", ["Contract", "Formats", "GSMText", "CarrierProfiles", "HTTPSMS", "SMSGlobal", "Network"],
      ["-parse-as-library"], excluding: ["Seeds"]),

    tests("ContractTests", ["Contract"]),
    tests("FormatsTests", ["Formats", "Contract"]),
    tests("RuntimeTests", ["Runtime", "Formats", "Contract"]),
    tests("CryptographyTests", ["Cryptography"]),
    tests("GSMTextTests", ["GSMText"]),
    tests("CarrierProfilesTests", ["CarrierProfiles", "Formats", "GSMText", "HTTPSMS", "SMSGlobal"]),
    tests("HTTPSMSTests", ["HTTPSMS", "GSMText"]),
    tests("SMSGlobalTests", ["SMSGlobal", "GSMText"]),
    tests("NetworkTests", ["Network", "Runtime", "Contract", "Cryptography"]),
    tests("HTTPClientTests", ["HTTPClient", "Network", "Runtime", "Contract"]),
    tests("DatabaseTests", ["Database", "Runtime", "Contract"]),
    tests("PhoneNumbersTests", ["PhoneNumbers", "Contract"]),
    tests("DeliveryTests", ["Delivery", "Contract", "Runtime"]),
    tests(
      "ExchangeTests", ["Exchange", "Delivery", "Database", "Contract", "Runtime", "Cryptography", "PhoneNumbers"]),
    tests(
      "AccountsTests",
      [
        "Accounts", "Contract", "Cryptography", "Database", "Delivery", "Doors", "Exchange", "Formats", "GSMText",
        "Network", "PhoneNumbers", "Runtime", "Texts",
      ]),
    tests(
      "TextsTests",
      [
        "Texts", "Doors", "Contract", "Runtime", "Formats", "Cryptography", "GSMText", "Network", "Database",
        "PhoneNumbers", "Delivery", "Exchange",
      ]),
    tests("TortureTests", ["Torture", "Contract", "Runtime"]),
    tests("DoorsTests", ["Doors", "Network"]),
    tests("WebAppTests", ["WebApp", "Network", "Formats", "Cryptography"]),
    tests("SandboxTests", ["Sandbox", "HTTPSMS", "Network", "HTTPClient", "Runtime", "Contract"]),
    tests("ArchitectureTests", []),
    tests("IntegrationTests", ["Contract", "Formats", "Runtime", "Network", "HTTPClient", "Database", "Sandbox"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu2x,
  cxxLanguageStandard: .cxx17
)
