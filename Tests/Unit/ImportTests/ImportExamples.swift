/// Files of other programs.
extension ImportTests {
  /// Postman Collection Format 2.1.0.
  static let postman = #"""
    {
      "info": {
        "_postman_id": "c2b7ab3e-5d2c-4b5b-8d3e-5a1f0c0e9b11", "name": "Birds",
        "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
      },
      "item": [
        {
          "name": "Reading",
          "item": [
            {
              "name": "One bird", "event": [{"listen": "test", "script": {"exec": [""], "type": "text/javascript"}}],
              "request": {
                "method": "POST", "description": "Asks for one with ghp_0123456789abcdefABCDEF",
                "header": [
                  {"key": "X-Trace", "value": "on"}, {"key": "X-Off", "value": "1", "disabled": true},
                  {"key": "Content-Type", "value": "application/json"}
                ],
                "body": {
                  "mode": "graphql",
                  "graphql": {
                    "query": "query One($id: ID!) { bird(id: $id) { name } }", "variables": "{\"id\": \"{{birdId}}\"}"
                  }
                },
                "url": {"raw": "{{base_url}}/graphql", "host": ["{{base_url}}"], "path": ["graphql"]}
              },
              "response": [{"name": "Example", "code": 200}]
            }
          ]
        },
        {
          "name": "Add",
          "request": {
            "auth": {
              "type": "apikey",
              "apikey": [
                {"key": "key", "value": "X-Api-Key", "type": "string"},
                {"key": "value", "value": "s3cret", "type": "string"}
              ]
            },
            "method": "POST", "header": [],
            "body": {
              "mode": "raw", "raw": "{\"query\": \"mutation { add(name: \\\"Apus\\\") { id } }\"}",
              "options": {"raw": {"language": "json"}}
            },
            "url": {"raw": "{{base_url}}/graphql"}
          }
        },
        {"name": "List", "request": {"auth": {"type": "noauth"}, "method": "GET", "url": "{{base_url}}/birds"}},
        {
          "name": "File",
          "request": {
            "auth": {"type": "noauth"}, "method": "POST", "url": "{{base_url}}",
            "body": {"mode": "formdata", "formdata": []}
          }
        }
      ],
      "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}", "type": "string"}]},
      "event": [{"listen": "prerequest", "script": {"type": "text/javascript", "exec": ["pm.variables.set('a', 1)"]}}],
      "variable": [{"key": "birdId", "value": "bird-7"}]
    }
    """#

  static let postmanEnvironment = """
    {
      "id": "0c6b1b9a", "name": "local", "_postman_variable_scope": "environment",
      "values": [
        {"key": "base_url", "value": "localhost:4000", "type": "default", "enabled": true},
        {"key": "token", "value": "s3cret", "type": "secret", "enabled": true}
      ]
    }
    """

  /// Insomnia's export format 4.
  static let insomnia = #"""
    {
      "_type": "export", "__export_format": 4, "__export_date": "2024-05-01T10:00:00.000Z",
      "__export_source": "insomnia.desktop.app:v8.6.1",
      "resources": [
        {"_id": "wrk_1", "_type": "workspace", "parentId": null, "name": "Birds", "scope": "collection"},
        {
          "_id": "fld_1", "_type": "request_group", "parentId": "wrk_1", "name": "Birds", "environment": {"a": "b"},
          "headers": [{"name": "X-Client", "value": "apus"}]
        },
        {
          "_id": "req_1", "_type": "request", "parentId": "fld_1", "name": "All", "method": "POST",
          "url": "{{ _.base.url }}/graphql", "parameters": [{"name": "v", "value": "2"}],
          "body": {
            "mimeType": "application/graphql",
            "text": "{\"query\":\"query All($n: Int) { birds(first: $n) { id } }\",\"variables\":{\"n\":3},\"operationName\":\"All\"}"
          },
          "headers": [{"name": "Content-Type", "value": "application/json"}],
          "authentication": {"type": "bearer", "token": "{{ _.auth_token }}", "prefix": ""}
        },
        {"_id": "ws_1", "_type": "websocket_request", "parentId": "wrk_1", "name": "Live", "url": "wss://birds.example"},
        {
          "_id": "req_2", "_type": "request", "parentId": "wrk_1", "name": "REST", "method": "GET",
          "url": "https://birds.example/birds", "body": {}, "headers": [], "authentication": {}
        },
        {
          "_id": "env_1", "_type": "environment", "parentId": "wrk_1", "name": "Base Environment",
          "data": {"auth_token": "s3cret"}
        },
        {
          "_id": "env_2", "_type": "environment", "parentId": "env_1", "name": "Staging",
          "data": {"base": {"url": "https://staging.example"}}
        },
        {
          "_id": "env_3", "_type": "environment", "parentId": "env_1", "name": "Production",
          "data": {"base": {"url": "https://birds.example"}}
        },
        {"_id": "jar_1", "_type": "cookie_jar", "parentId": "wrk_1", "name": "Default Jar", "cookies": []}
      ]
    }
    """#

  static let brunoCollection = """
    headers {
      X-Client: apus
      ~X-Off: 1
    }

    auth {
      mode: bearer
    }

    auth:bearer {
      token: {{jwt}}
    }

    """

  static let brunoRequest = """
    meta {
      name: One
      type: graphql
      seq: 1
    }

    post {
      url: {{host}}/graphql
      body: graphql
      auth: inherit
    }

    body:graphql {
      query One($id: ID!) {
        bird(id: $id) {
          name
        }
      }
    }

    body:graphql:vars {
      {
        "id": "{{id}}"
      }
    }

    vars:pre-request {
      id: 7
    }

    script:pre-request {
      if (true) {
        req.setHeader("X-Time", Date.now());
      }
    }

    assert {
      res.status: eq 200
    }

    """

  /// Altair's ExportCollectionState, version 1.
  static let altair = #"""
    {
      "version": 1, "type": "collection", "title": "Birds", "headers": [{"key": "X-A", "value": "b", "enabled": true}],
      "queries": [
        {
          "version": 1, "type": "window", "windowName": "All", "apiUrl": "{{host}}/graphql", "subscriptionUrl": "",
          "query": "query All($first: Int) { birds(first: $first) { id } }", "variables": "{ \"first\": 3 }",
          "headers": [{"key": "", "value": "", "enabled": true}],
          "preRequestScript": "altair.helpers.setEnvironment('a', 1)", "preRequestScriptEnabled": true
        }
      ],
      "collections": [
        {
          "title": "Seldom",
          "queries": [
            {
              "version": 1, "type": "window", "windowName": "Watch", "apiUrl": "{{host}}/graphql",
              "subscriptionUrl": "ws://localhost:4000/other", "subscriptionConnectionParams": "{\"a\": 1}",
              "query": "subscription { sighted { id } }", "variables": "{}", "headers": []
            }
          ]
        }
      ]
    }
    """#

  static let altairEnvironment = """
    {"version": 1, "type": "environment", "title": "local", "variables": {"host": "http://localhost:4000"}}
    """

  /// HTTP Archive 1.2.
  static let har: String = {
    func entry(_ body: String, url: String = "https://birds.example/graphql") -> String {
      #"""
      {
        "startedDateTime": "2024-05-01T10:00:00.000Z", "time": 12,
        "request": {
          "method": "POST", "url": "\#(url)", "httpVersion": "http/2.0",
          "headers": [
            {"name": ":authority", "value": "birds.example"}, {"name": "authorization", "value": "Bearer s3cret"},
            {"name": "cookie", "value": "session=s3cret"}, {"name": "x-price", "value": "$5"},
            {"name": "user-agent", "value": "Mozilla/5.0"}, {"name": "sec-fetch-mode", "value": "cors"}
          ],
          "queryString": [], "postData": {"mimeType": "application/json", "text": "\#(body)"}
        },
        "response": {"status": 200}
      }
      """#
    }
    let birds = #"{\"operationName\":\"Birds\",\"query\":\"query Birds { birds { id } }\",\"variables\":{\"n\":1}}"#
    let entries = [
      entry(birds), entry(birds), entry(#"[{\"query\":\"query A { a }\"},{\"query\":\"{ b }\"}]"#),
      entry(#"{\"extensions\":{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"ab\"}}}"#),
      entry("", url: "https://birds.example/logo.svg"),
    ]
    return
      #"{"log": {"version": "1.2", "creator": {"name": "Firefox"}, "entries": [\#(entries.joined(separator: ","))]}}"#
  }()

  static let http = """
    @path = graphql

    ### All of them
    # @name all
    POST {{ host }}/{{ path }} HTTP/1.1
    Content-Type: application/json
    X-REQUEST-TYPE: GraphQL
    Authorization: Bearer {{token}}

    query {
      birds { id }
    }

    > {%
      client.global.set("a", response.body.a)
    %}

    ### One bird
    # @no-redirect
    POST {{host}}
      /graphql
    Authorization: Bearer {{token}}
    X-REQUEST-TYPE: GraphQL

    query ($id: ID!) { bird(id: $id) { name } }

    {"id": "7"}

    ###
    GET {{host}}/birds

    """

  static let httpEnvironments = """
    {"dev": {"host": "http://localhost:4000"}, "prod": {"host": "https://birds.example"}}
    """
}
