# SPDX-License-Identifier: Apache-2.0
"""The documents of ONNX operators: the schema of every opset that defines the operator, as Markdown, newest
first."""

from onnx import defs, helper


def entries(title, lines):
    return [f"## {title}", "", *(f"- {line}" for line in lines), ""] if lines else []


def attribute(name, one):
    default = helper.get_attribute_value(one.default_value) if one.default_value.name else None
    said = "" if default is None else f", default {default.decode() if isinstance(default, bytes) else default}"
    return f"{name} ({one.type.name}{said}): {one.description}"


def parameter(one):
    return f"{one.name} ({one.type_str}): {one.description}"


def constraint(one):
    return f"{one.type_param_str}: {one.description} {', '.join(one.allowed_type_strs)}"


def schema_text(schema):
    return "\n".join([
        f"# Opset {schema.since_version}", "", schema.doc, "",
        *entries("Attributes", [attribute(*item) for item in schema.attributes.items()]),
        *entries("Inputs", [parameter(one) for one in schema.inputs]),
        *entries("Outputs", [parameter(one) for one in schema.outputs]),
        *entries("Type constraints", [constraint(one) for one in schema.type_constraints]),
    ])


def document(name):
    """The text of `onnx.Gather`; None where ONNX has no such operator."""
    package, _, operator = name.partition(".")
    schemas = [one for one in defs.get_all_schemas_with_history() if (one.domain, one.name) == ("", operator)]
    if package != "onnx" or not schemas:
        return None
    return "\n".join(map(schema_text, sorted(schemas, key=lambda one: -one.since_version)))
