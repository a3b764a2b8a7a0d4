# SPDX-License-Identifier: Apache-2.0
# cmake -DOUTPUT=<file.cpp> -DSCHEMAS=<a.schema.json,b.schema.json> -P embed_schemas.cmake
# Writes the schemas' texts as C++ string literals, so that a bare executable can check files.
string(REPLACE "," ";" SCHEMAS "${SCHEMAS}")
set(table "")
foreach(path IN LISTS SCHEMAS)
  get_filename_component(file ${path} NAME)
  string(REGEX REPLACE "\\.schema\\.json$" "" name ${file})
  file(READ ${path} text)
  string(APPEND table "    {\"${name}\", R\"schema(${text})schema\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by spec/yaml/embed_schemas.cmake.
#include \"embedded.hpp\"

namespace scatterproof::spec {
namespace {
constexpr EmbeddedSchema all[] = {
${table}};
}  // namespace
std::span<const EmbeddedSchema> embedded_schemas() { return all; }
}  // namespace scatterproof::spec
")
