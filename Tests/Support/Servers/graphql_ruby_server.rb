# graphql-ruby with WEBrick, with the data of birds.graphql. All requests get status 200, as in its guide.
require "graphql"
require "json"
require "webrick"

BIRDS = [
  { id: "b1", name: "Apus apus", habitat: "TOWN" },
  { id: "b2", name: "Apus melba", habitat: "CLIFF" },
  { id: "b3", name: "Apus pallidus", habitat: "TOWN" },
]
PLACES = [{ id: "p1", title: "Apus Street" }]

ROOT = Object.new
class << ROOT
  def node(id:) = (BIRDS + PLACES).find { |one| one[:id] == id }

  def search(text:) = BIRDS.select { |one| one[:name].include?(text) } + PLACES.select { |one| one[:title].include?(text) }

  def birds(first:, after: nil, filter: nil)
    wanted = BIRDS.select do |one|
      (filter.nil? || filter["habitat"].nil? || one[:habitat] == filter["habitat"]) &&
        (filter.nil? || filter["nameBegins"].nil? || one[:name].start_with?(filter["nameBegins"]))
    end
    start = after ? (wanted.index { |one| one[:id] == after } || -1) + 1 : 0
    page = wanted[start, first] || []
    {
      edges: page.map { |node| { cursor: node[:id], node: node } },
      pageInfo: { endCursor: page.last && page.last[:id], hasNextPage: start + first < wanted.length },
    }
  end

  def rename(id:, name:) = BIRDS.find { |one| one[:id] == id }&.tap { |bird| bird[:name] = name }
end

# The values of fields: functions for those of the root, members for all others.
module Resolvers
  def self.call(_type, field, object, arguments, _context)
    raise GraphQL::ExecutionError, "It is broken." if field.graphql_name == "broken"
    return object.fetch(field.graphql_name.to_sym) if object.is_a?(Hash)
    plain = arguments.to_h { |name, value| [name.to_s.gsub(/_([a-z])/) { $1.upcase }.to_sym, value.respond_to?(:to_h) && !value.nil? ? value.to_h.to_h { |key, inner| [key.to_s.gsub(/_([a-z])/) { $1.upcase }, inner] } : value] }
    ROOT.public_send(field.graphql_name, **plain)
  end

  def self.resolve_type(_type, object, _context) = SCHEMA.types[object.key?(:title) ? "Place" : "Bird"]

  def self.coerce_input(_type, value, _context) = value

  def self.coerce_result(_type, value, _context) = value
end
SCHEMA = GraphQL::Schema.from_definition(File.read("#{__dir__}/birds.graphql"), default_resolve: Resolvers)

server = WEBrick::HTTPServer.new(
  BindAddress: "127.0.0.1", Port: 0, Logger: WEBrick::Log.new(File::NULL), AccessLog: [])
server.mount_proc "/graphql" do |request, response|
  parameters = request.request_method == "GET" ? request.query : JSON.parse(request.body)
  variables = parameters["variables"]
  variables = JSON.parse(variables) if variables.is_a?(String)
  result = SCHEMA.execute(
    parameters["query"]&.dup&.force_encoding("UTF-8"), variables: variables || {},
    operation_name: parameters["operationName"])
  response["Content-Type"] = "application/json; charset=utf-8"
  response.body = JSON.generate(result.to_h)
end
puts "http://127.0.0.1:#{server.config[:Port]}/graphql"
$stdout.flush
server.start
