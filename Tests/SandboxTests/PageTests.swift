import HTTPClient
import Network
import Sandbox
import Testing

@Suite struct PageTests {
  @Test("The page's files come with their types, under a policy that allows nothing but them")
  func files() async throws {
    try await withSandbox { (sandbox) async throws in
      for (path, type) in [
        ("/", "text/html; charset=utf-8"), ("/page.css", "text/css; charset=utf-8"),
        ("/page.js", "text/javascript; charset=utf-8"), ("/icon.svg", "image/svg+xml"),
      ] {
        let response = try await sandbox.client.send(
          OutgoingRequest(
            method: "GET", url: sandbox.url + path, timeout: .seconds(10), allowsPrivateAddresses: true))
        #expect(response.status == 200, "\(path)")
        #expect(response.header("content-type") == type)
        #expect(response.header("x-content-type-options") == "nosniff")
        let policy = response.header("content-security-policy") ?? ""
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
        #expect(!policy.contains("unsafe"))
        #expect(!response.body.isEmpty)
      }
    }
  }

  @Test("Nothing in the page needs what the policy forbids")
  func nothingInline() async throws {
    try await withSandbox { (sandbox) async throws in
      let page = try await sandbox.ask("GET", "/").text
      #expect(page.hasPrefix("<!doctype html>") && page.contains("<script type=\"module\" src=\"/page.js\"></script>"))
      for forbidden in ["<style", " style=", " onclick=", " oninput=", "javascript:", "http://", "https://"] {
        #expect(!page.contains(forbidden), "\(forbidden)")
      }
      let script = try await sandbox.ask("GET", "/page.js").text
      for forbidden in ["innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write"] {
        #expect(!script.contains(forbidden), "\(forbidden)")
      }
    }
  }

  @Test("The page is told of the newest phones, those that lie open, and the carriers with their faults")
  func world() async throws {
    try await withSandbox { (sandbox) async throws in
      _ = try await sandbox.httpsms("DA=358400000001&SA=Info&M=First")
      _ = try await sandbox.httpsms("DA=358400000002&SA=Info&M=Second")
      try await sandbox.put("/carriers/fast", #"{"numbers": ["+358401111111"]}"#)
      let sent = try await sandbox.ask(
        "POST", "/sandbox/phones/358400000001/messages", #"{"to": "358401111111", "text": "Back"}"#)
      #expect(sent.status == 201)
      try await sandbox.put("/carriers/fast/faults", #"{"down": true}"#)

      let page = try await sandbox.ask("GET", "/page.json?phones=358400000001,358400000009").json
      // Behind them those that were never texted and behave in a way of their own.
      let phones = page.objects("phones").prefix(2)
      #expect(phones.map { $0.text("number") } == ["+358400000001", "+358400000002"])
      #expect(phones.map { $0.object("last").bool("sent") } == [true, false])
      let open = page.objects("open")
      #expect(open.map { $0.text("number") } == ["+358400000001", "+358400000009"])
      #expect(open[0].objects("texts").map { $0.text("text") } == ["First", "Back"])
      #expect(open[0].text("receipt") == "delivered")
      #expect(open[1].objects("texts").isEmpty, "one that nobody texted can be picked up, too")
      let fast = try #require(page.objects("carriers").first)
      #expect(fast.object("faults").bool("down") == true)
      #expect(fast.object("counts").number("accepted") == 2)
    }
  }

  @Test("What is no phone is refused, and of many phones only the first six are shown")
  func bounds() async throws {
    try await withSandbox { (sandbox) async throws in
      for query in ["?phones=abc", "?phones=358400000001,x", "?other=1"] {
        let answer = try await sandbox.ask("GET", "/page.json\(query)")
        #expect(answer.status == 422, "\(query)")
      }
      let many = (0..<20).map { "35840000000\($0 % 10)" }.joined(separator: ",")
      #expect(try await sandbox.ask("GET", "/page.json?phones=\(many)").json.objects("open").count == 6)
      #expect(try await sandbox.ask("GET", "/page.json").json.objects("open").isEmpty)
    }
  }
}
