"""A pytest plugin that records the inputs and results of the reference implementation's tests.

Each input is recorded once, as a line of JSON in the file APUS_RECORD:
  {"kind": "parse" | "value" | "type" | "coordinate", "text", "options", "errors"}
  {"kind": "validate", "schema", "text", "rules", "errors"}
  {"kind": "sdl", "text", "rules", "errors"}
  {"kind": "types", "text", "errors"}
where errors are [{"message", "locations": [[line, column], ...]}]. Inputs that text cannot represent, such as a schema with
resolvers that coerce values, are omitted.
"""

import json
import os
import sys

from importlib import import_module

import graphql
from graphql.utilities import print_schema

from reference_answers import errors_of

# By module, because their packages contain functions of the same names.
parser = import_module("graphql.language.parser")
type_validation = import_module("graphql.type.validate")
validation = import_module("graphql.validation.validate")

seen = set()
output = open(os.environ["APUS_RECORD"], "w", encoding="utf-8")


def record(**question):
    line = json.dumps(question)
    if line not in seen:
        seen.add(line)
        output.write(line + "\n")
        output.flush()


def replace(original, wrapper):
    """Replaces the original by the wrapper in all modules that imported it."""
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if value is original:
                setattr(module, name, wrapper)


def text_of(source):
    text = source if isinstance(source, str) else getattr(source, "body", None)
    try:
        text.encode("utf-8")
    except (AttributeError, UnicodeEncodeError):
        return None
    return text


def watch_parser(name, kind):
    original = getattr(parser, name)

    def wrapper(source, *arguments, **options):
        text = text_of(source)
        plain = {key: value for key, value in options.items() if key != "no_location"}
        try:
            result = original(source, *arguments, **options)
        except graphql.GraphQLError as error:
            if text is not None and not arguments:
                record(kind=kind, text=text, options=plain, errors=errors_of([error]))
            raise
        if text is not None and not arguments:
            record(kind=kind, text=text, options=plain, errors=[])
        return result

    replace(original, wrapper)


def body(document):
    return document.loc.source.body if getattr(document, "loc", None) else None


def printed(schema):
    """The schema as text, unless the text is incomplete because of scalars with custom validation."""
    plain = vars(graphql.GraphQLScalarType("Plain"))
    for type_ in schema.type_map.values():
        if graphql.is_scalar_type(type_) and not graphql.is_specified_scalar_type(type_):
            for name in ("coerce_input_value", "coerce_input_literal", "parse_value", "parse_literal"):
                if vars(type_).get(name) is not plain.get(name):
                    return None
    return print_schema(schema)


def watch_validate():
    original = validation.validate

    def wrapper(schema, document, rules=None, *arguments, **options):
        errors = original(schema, document, rules, *arguments, **options)
        try:
            text, sdl = body(document), printed(schema)
        except Exception:
            return errors
        if text is not None and sdl is not None and not arguments and not any(options.values()):
            names = None if rules is None else [rule.__name__ for rule in rules]
            record(kind="validate", schema=sdl, text=text, rules=names, errors=errors_of(errors))
        return errors

    replace(original, wrapper)


def watch_validate_sdl():
    original = validation.validate_sdl

    def wrapper(document, schema_to_extend=None, rules=None):
        errors = original(document, schema_to_extend, rules)
        text = body(document)
        if text is not None and schema_to_extend is None:
            names = None if rules is None else [rule.__name__ for rule in rules]
            record(kind="sdl", text=text, rules=names, errors=errors_of(errors))
        return errors

    replace(original, wrapper)


def watch_validate_schema():
    original = type_validation.validate_schema

    def wrapper(schema):
        errors = original(schema)
        nodes = [schema.ast_node, *schema.extension_ast_nodes]
        try:
            for type_ in schema.type_map.values():
                nodes += [type_.ast_node, *type_.extension_ast_nodes]
        except AttributeError:
            # A schema whose types are not types.
            return errors
        sources = {id(node.loc.source): node.loc.source for node in nodes if node and node.loc}
        own = [
            type_ for name, type_ in schema.type_map.items()
            if not name.startswith("__") and not graphql.is_specified_scalar_type(type_)
        ]
        if len(sources) == 1 and all(type_.ast_node for type_ in own):
            record(kind="types", text=next(iter(sources.values())).body, errors=errors_of(errors))
        return errors

    replace(original, wrapper)


watch_parser("parse", "parse")
watch_parser("parse_value", "value")
watch_parser("parse_type", "type")
watch_parser("parse_schema_coordinate", "coordinate")
watch_validate()
watch_validate_sdl()
watch_validate_schema()
