// graphql-js with node's http module, with the data of birds.graphql. Request errors get status 400, as GraphQL over HTTP
// requires for application/graphql-response+json.
"use strict";
const { readFileSync } = require("fs");
const http = require("http");
const { buildSchema, graphql } = require("graphql");

const birds = [
  { id: "b1", name: "Apus apus", habitat: "TOWN" },
  { id: "b2", name: "Apus melba", habitat: "CLIFF" },
  { id: "b3", name: "Apus pallidus", habitat: "TOWN" },
];
const places = [{ id: "p1", title: "Apus Street" }];
const bird = (value) => value && { ...value, __typename: "Bird" };
const place = (value) => value && { ...value, __typename: "Place" };

const root = {
  node: ({ id }) => bird(birds.find((one) => one.id === id)) || place(places.find((one) => one.id === id)) || null,
  search: ({ text }) => [
    ...birds.filter((one) => one.name.includes(text)).map(bird),
    ...places.filter((one) => one.title.includes(text)).map(place),
  ],
  birds: ({ first, after, filter }) => {
    const wanted = birds.filter(
      (one) =>
        (!filter || !filter.habitat || one.habitat === filter.habitat) &&
        (!filter || !filter.nameBegins || one.name.startsWith(filter.nameBegins)));
    const start = after ? wanted.findIndex((one) => one.id === after) + 1 : 0;
    const page = wanted.slice(start, start + first);
    return {
      edges: page.map((node) => ({ cursor: node.id, node })),
      pageInfo: {
        endCursor: page.length ? page[page.length - 1].id : null,
        hasNextPage: start + first < wanted.length,
      },
    };
  },
  broken: () => { throw new Error("It is broken."); },
  rename: ({ id, name }) => {
    const found = birds.find((one) => one.id === id);
    if (found) found.name = name;
    return bird(found) || null;
  },
};
const schema = buildSchema(readFileSync(`${__dirname}/birds.graphql`, "utf8"));

const failure = (message) => ({ errors: [{ message }] });

// The parameters of the URL or of a JSON body. Invalid ones are a request error.
function parametersOf(request, url, body) {
  const parameters = request.method === "GET" ? Object.fromEntries(url.searchParams) : JSON.parse(body);
  if (!parameters || typeof parameters !== "object" || Array.isArray(parameters)) throw new Error("not an object");
  if (request.method === "GET" && parameters.variables) parameters.variables = JSON.parse(parameters.variables);
  if (typeof parameters.query !== "string") throw new Error("query has to be text");
  if (parameters.operationName != null && typeof parameters.operationName !== "string")
    throw new Error("operationName has to be text");
  if (parameters.variables != null && (typeof parameters.variables !== "object" || Array.isArray(parameters.variables)))
    throw new Error("variables has to be an object");
  return parameters;
}

async function answer(request, url, body) {
  if (request.method !== "GET" && request.method !== "POST") return [405, failure("Only GET and POST.")];
  if (request.method === "POST" && !/^application\/json\b/.test(request.headers["content-type"] || ""))
    return [415, failure("The body has to be application/json.")];
  let parameters;
  try {
    parameters = parametersOf(request, url, body);
  } catch (error) {
    return [400, failure(error.message)];
  }
  const variables = parameters.variables;
  if (request.method === "GET" && /^\s*mutation/.test(parameters.query)) return [405, failure("Not by GET.")];
  const result = await graphql({
    schema, source: parameters.query, rootValue: root, variableValues: variables,
    operationName: parameters.operationName,
  });
  return ["data" in result ? 200 : 400, result];
}

const server = http.createServer((request, response) => {
  const url = new URL(request.url, "http://localhost");
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", async () => {
    const [status, body] = await answer(request, url, Buffer.concat(parts).toString());
    response.writeHead(status, { "Content-Type": "application/graphql-response+json; charset=utf-8" });
    response.end(JSON.stringify(body));
  });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/graphql`));
