"""Runs the reference implementation on documents, with one request per line of JSON on standard input.

  reference_answers.py SCHEMA...   {"text"} is parsed, and validated against the schema: {"syntax": bool, "errors"}
"""

import json
import sys


def errors_of(errors):
    return [
        {"message": error.message, "locations": [[place.line, place.column] for place in error.locations or []]}
        for error in errors
    ]


def main():
    from graphql import GraphQLError, build_schema, parse, validate
    from graphql.language import Source
    from graphql.type import GraphQLDeferDirective, GraphQLStreamDirective, GraphQLSchema

    schema = build_schema(open(sys.argv[1], encoding="utf-8").read(), assume_valid=True, assume_valid_sdl=True)
    configuration = schema.to_kwargs()
    configuration["directives"] = (*configuration["directives"], GraphQLDeferDirective, GraphQLStreamDirective)
    configuration["assume_valid"] = True
    schema = GraphQLSchema(**configuration)
    for line in sys.stdin:
        text = json.loads(line)["text"]
        try:
            document = parse(Source(text))
        except GraphQLError as error:
            print(json.dumps({"syntax": True, "errors": errors_of([error])}), flush=True)
            continue
        print(json.dumps({"syntax": False, "errors": errors_of(validate(schema, document, max_errors=100_000))}), flush=True)


if __name__ == "__main__":
    main()
