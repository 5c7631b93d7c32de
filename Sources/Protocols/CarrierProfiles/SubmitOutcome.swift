/// What a carrier's answer to a submission means.
package enum SubmitOutcome: Sendable, Equatable {
  /// Taken. The ids are those that receipts will name, already in the profile's form; often one, one a part with some
  /// carriers, none where a carrier gives none. `detail` is what else the answer says that is worth keeping.
  case accepted(ids: [String], detail: String?)
  /// Not taken, and not to be tried again within `scope`.
  case refused(scope: RefusalScope, code: String, sentence: String)
  /// Not taken because too much was sent; may be tried again.
  case throttled(code: String, sentence: String, retryAfter: Duration?)
  /// Certainly not taken, through no fault of the message; may be tried again.
  case unavailable(code: String, sentence: String)
  /// Nobody can say whether it was taken.
  case uncertain(code: String, sentence: String)
}
