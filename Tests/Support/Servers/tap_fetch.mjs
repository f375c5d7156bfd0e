// Compares what node's fetch receives directly and through `apus tap`: status, header fields and bytes.
//
//     tap_fetch.mjs DIRECT TAPPED QUERY DEFERRED
//
// Prints a line for each comparison, `same NAME` or `differs NAME: …`.

const [direct, tapped, query, deferred] = process.argv.slice(2);

// Fields that differ from one response to the next, or belong to a connection.
const variable = new Set(["date", "connection", "keep-alive"]);

async function received(response) {
  const fields = [...response.headers].filter(([name]) => !variable.has(name));
  return { status: response.status, fields, body: Buffer.from(await response.arrayBuffer()).toString("base64") };
}

function post(url, query, headers = {}) {
  return fetch(url, {
    method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify({ query }),
  });
}

function form() {
  const form = new FormData();
  form.append("operations", JSON.stringify({ query, variables: { file: null } }));
  form.append("map", JSON.stringify({ 0: ["variables.file"] }));
  form.append("0", new Blob([new Uint8Array(100_000).map((_, index) => index)]), "a.bin");
  return form;
}

async function* pieces() {
  for (const letter of JSON.stringify({ query })) yield Buffer.from(letter);
}

const requests = {
  post: url => post(url, query),
  get: url => fetch(`${url}?query=${encodeURIComponent(query)}`),
  head: url => fetch(`${url}?query=${encodeURIComponent(query)}`, { method: "HEAD" }),
  options: url => fetch(url, { method: "OPTIONS" }),
  multipart: url => post(url, deferred, { Accept: "multipart/mixed;deferSpec=20220824, application/json" }),
  malformed: url => fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: "not json" }),
  upload: url => fetch(url, { method: "POST", headers: { "GraphQL-Preflight": "1" }, body: form() }),
  chunked: url =>
    fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: pieces(), duplex: "half" }),
  simultaneous: async url => (await Promise.all(Array.from({ length: 20 }, () => post(url, query))))[19],
};

for (const [name, request] of Object.entries(requests)) {
  const [first, second] = await Promise.all(
    [direct, tapped].map(async url => JSON.stringify(await received(await request(url)))));
  console.log(first === second ? `same ${name}` : `differs ${name}: ${first}\n  ${second}`);
}
