curl https://birds.example/graphql?x=1 \
  -H 'Content-Type: application/json' \
  -H "X: it's \"\$1\"" \
  --data-raw '{"query":"query A($n: Int) { birds(first: $n, name: \"it'\''s\") { id } }","variables":{"n":2},"operationName":"A"}'
