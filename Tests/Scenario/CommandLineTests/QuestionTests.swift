import ApusTestSupport
import Testing

/// Questions of users. Each is found by its words in titles, headings or the index of `Docs/README.md`, and is answered on
/// one page.
struct QuestionTests {
  struct Question: Sendable {
    let words: String
    let page: String
    /// Text that only this page has.
    let answer: String

    init(_ words: String, _ page: String, _ answer: String) {
      (self.words, self.page, self.answer) = (words, "Docs/\(page)", answer)
    }
  }

  private static let questions: [Question] = [
    .init("upload", "Recipes.md", "--upload photos.0=owl.jpg"),
    .init("several operations in one file", "Recipes.md", "-f two.graphql --operation B"),
    .init("time limit", "Recipes.md", "--timeout 0.2"),
    .init("cookie", "Recipes.md", "-H 'Cookie: session=$SESSION'"),
    .init("compare two servers", "Recipes.md", "diff staging.json production.json"),
    .init("rename a field", "Recipes.md", "apus validate --schema new.graphql src"),
    .init("Xcode", "CodeGeneration.md", "*Add Package Dependencies*"),
    .init("GitHub Actions", "HowTo/CI.md", "actions/cache@v4"),
    .init("clear history", "Guide/Sessions.md", "*Clear the history* in"),
    .init("privacy", "Guide/Sessions.md", "`history: false` in `config.yml` stores no further runs"),
    .init("mock with errors and delays", "Mock.md", "--rules rules.yml"),
    .init("disable colors", "Guide/Customize.md", "set `NO_COLOR=1`"),
    .init("company certificate", "HowTo/Authenticate.md", "| private certificate authority | `--cacert ca.pem` |"),
    .init("CORS", "Mock.md", "--cors http://localhost:3000"),
    .init("login", "HowTo/SignIn.md", "`apus login` prints a page and a code"),
    .init("password", "HowTo/Authenticate.md", "basic authentication | `--user"),
    .init("token expired", "Guide/Endpoints.md", "If the server rejects the value of a `$(command)`"),
    .init("proxy certificate", "HowTo/Proxy.md", "--proxy-cacert proxy-ca.pem"),
    .init("introspection disabled", "Troubleshooting.md", "many servers refuse introspection in production"),
    .init("offline", "Recipes.md", "--cache-policy cacheOnly -q"),
    .init("uninstall", "Installing.md", "./install.sh uninstall"),
    .init("Postman", "Importing.md", "Postman"),
    .init("tmux", "Troubleshooting.md", "set -g default-terminal tmux-256color"),
    .init("persisted query", "HowTo/ApolloClient.md", "apus bundle --typename src > persisted-queries.json"),
  ]

  /// The lines of a page that a search for titles finds: headings, and the rows of the index by words.
  private static func titles(_ page: MarkdownPage) -> [Substring] {
    let lines = page.text.split(separator: "\n")
    guard page.path == "Docs/README.md" else { return lines.filter { $0.hasPrefix("#") } }
    return Array(lines.drop { $0 != "## Find by word" }.dropFirst().prefix { !$0.hasPrefix("## ") })
  }

  private static let pages = Result {
    try MarkdownPage.all.filter { page in
      ["Development", "Packaging", "PublicAPI", "Keys", "CHANGELOG", "CONTRIBUTING"].allSatisfy {
        !page.path.contains($0)
      }
    }
  }

  @Test(arguments: questions) func `a question is found by its words and answered on one page`(question: Question)
    throws
  {
    let pages = try Self.pages.get()
    let words = question.words.lowercased()
    let isFound = pages.contains { page in
      Self.titles(page).contains { line in
        guard line.lowercased().contains(words) else { return false }
        return page.path == question.page
          || page.path == "Docs/README.md" && line.contains("(\(question.page.dropFirst(5))")
      }
    }
    #expect(isFound, "no title or index row leads from '\(question.words)' to \(question.page)")
    let answering = pages.filter { $0.text.contains(question.answer) }.map(\.path)
    if question.answer == question.words {
      #expect(answering.contains(question.page))
    } else {
      #expect(answering == [question.page])
    }
  }
}
