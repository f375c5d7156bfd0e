import ApusExplorerText

/// Work for the texts of a tab, done by the language service.
package enum EditorEffect: Equatable, Sendable {
  case analyse(TextBuffer, version: Int)
  case analyzeVariables(TextBuffer, version: Int, query: TextBuffer, offset: Int)
  case complete(TextBuffer, at: TextPosition, version: Int, isAsked: Bool)
  /// Completes the variables with the query that they are for.
  case completeVariables(TextBuffer, at: TextPosition, version: Int, query: TextBuffer, offset: Int, isAsked: Bool)
  case completeHeaders(TextBuffer, at: TextPosition, version: Int, isAsked: Bool)
  case format(TextBuffer, version: Int)
  case queryLanguageService(LanguageServiceRequest)
  case fillForm(FormRequest)
  /// Finds lists of the operation under the cursor that could be paged if the query selected a few more fields.
  case suggestPaging(TextBuffer, offset: Int)

  private enum Key { case analysis, variables, completion, format, languageService, form, pagingOffers }

  var work: EffectWork {
    switch self {
    case .analyse(let text, let version):
      .start(Key.analysis) { $1(.text(.analysed(.query, await $0.text.analyse(text, version)))) }
    case .analyzeVariables(let text, let version, let query, let offset):
      .start(Key.variables) {
        $1(.text(.analysed(.variables, await $0.text.analyzeVariables(text, version, query, offset))))
      }
    case .complete(let text, let position, let version, let isAsked):
      .start(Key.completion) { environment, send in
        let items = await environment.text.complete(text, position)
        send(.text(.completionsFound(items, .query, version: version, isAsked: isAsked)))
      }
    case .completeVariables(let text, let position, let version, let query, let offset, let isAsked):
      .start(Key.completion) { environment, send in
        let items = await environment.text.completeVariables(text, position, query, offset)
        send(.text(.completionsFound(items, .variables, version: version, isAsked: isAsked)))
      }
    case .completeHeaders(let text, let position, let version, let isAsked):
      .start(Key.completion) { _, send in
        let items = HeaderCompletion.completions(in: text, at: position)
        send(.text(.completionsFound(items, .headers, version: version, isAsked: isAsked)))
      }
    case .format(let text, let version):
      .start(Key.format) { environment, send in
        let formatted = await environment.text.format(text)
        send(
          formatted.map { .text(.formatted($0, version: version)) }
            ?? .operationFailed("A query with syntax errors cannot be formatted"))
      }
    case .queryLanguageService(let request):
      .start(Key.languageService) { $1(.writingAnswered(await $0.text.answer(request))) }
    case .fillForm(let request): .start(Key.form) { $1(.formFilled(await $0.text.fillForm(request), request)) }
    case .suggestPaging(let text, let offset):
      .start(Key.pagingOffers) { $1(.pagingOffered(await $0.text.offerPaging(text, offset))) }
    }
  }
}

/// Access to the language service, which uses the endpoint's schema.
package struct EditorEnvironment: Sendable {
  package var analyse: @Sendable (TextBuffer, _ version: Int) async -> EditorAnalysis = { EditorAnalysis(version: $1) }
  package var analyzeVariables:
    @Sendable (TextBuffer, _ version: Int, _ query: TextBuffer, _ offset: Int) async -> EditorAnalysis = {
      _, version, _, _ in
      EditorAnalysis(version: version)
    }
  package var complete: @Sendable (TextBuffer, TextPosition) async -> [Completion] = { _, _ in [] }
  package var completeVariables:
    @Sendable (TextBuffer, TextPosition, _ query: TextBuffer, _ offset: Int) async -> [Completion] = { _, _, _, _ in []
    }
  /// Returns `nil` if the text has syntax errors and cannot be formatted.
  package var format: @Sendable (TextBuffer) async -> String? = { _ in nil }
  package var answer: @Sendable (LanguageServiceRequest) async -> LanguageServiceAction = { _ in
    .nothing("No language service is available")
  }
  package var fillForm: @Sendable (FormRequest) async -> [FormRow] = { _ in [] }
  package var offerPaging: @Sendable (TextBuffer, _ offset: Int) async -> [PagingOffer] = { _, _ in [] }

  package init() {}
}
