import Exchange
import Network

/// What `serve` was told, checked.
struct ServerSettings {
  var host = "127.0.0.1"
  var port = 8080
  var tls: TLSFiles?
  /// Where the world reaches us, without a slash at the end; nil where it can not.
  var publicURL: String?
  var metricsListen: (host: String, port: Int)?
  var loops = 1
  var prices: PriceList?
  /// Millionths of the currency that an account may spend in a day; nil for no limit.
  var dailyCap: Int64?
}
