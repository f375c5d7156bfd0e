// Former names of public declarations, which the next version removes.

import ApusClientAPI
import ApusClientCore
import ApusClientRequestChain

/// The former name of `InputEncodable`.
@available(*, deprecated, renamed: "InputEncodable")
public typealias InputValue = InputEncodable

/// The former name of `SelectionInputObject`.
@available(*, deprecated, renamed: "SelectionInputObject")
public typealias InputObject = SelectionInputObject

extension GraphQLClient {
  /// The former name of `subscribe(to:name:context:)`.
  @available(*, deprecated, renamed: "subscribe(to:name:context:)")
  public func listen<Value: Sendable, Root: SubscriptionScope>(
    to selection: Selection<Value, Root>, name: String? = nil, context: (any RequestContext)? = nil
  ) -> Results<Value> {
    subscribe(to: selection, name: name, context: context)
  }

  /// The former name of `subscribe(to:name:options:)`.
  @available(*, deprecated, renamed: "subscribe(to:name:options:)")
  public func listen<Value: Sendable, Root: SubscriptionScope>(
    to selection: Selection<Value, Root>, name: String? = nil, options: RequestOptions
  ) -> Results<Value> {
    subscribe(to: selection, name: name, options: options)
  }
}
