import Foundation

/// A system call that failed: which one, and errno.
package struct SystemError: Error, CustomStringConvertible, Equatable {
  package var operation: String
  package var code: Int32

  package init(_ operation: String, code: Int32 = errno) {
    self.operation = operation
    self.code = code
  }

  package var description: String { "\(operation) failed: \(String(cString: strerror(code)))" }
}
