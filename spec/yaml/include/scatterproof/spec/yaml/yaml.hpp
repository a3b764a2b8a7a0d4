// SPDX-License-Identifier: Apache-2.0
// The one YAML reader: a subset of YAML 1.2 that is safe on hostile input, with a source position for every
// value. Limits and refusals: docs/formats/yaml.md. No yaml-cpp type appears here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/core/scalar.hpp"

namespace scatterproof::spec::yaml {

struct TextLimits {
  std::size_t file_bytes = 4u << 20;
  std::size_t depth = 32;
  std::size_t scalars = 100'000;
  std::size_t scalar_bytes = 64u << 10;
  std::size_t keys_per_map = 256;
  std::size_t key_bytes = 256;
};

struct Member;

/// A value with its place. Plain scalars are typed by the YAML 1.2 core schema (null, bool, int, float;
/// integers exact in 64 bits, hex floats, `nan`/`.nan`, `inf`/`-inf`/`.inf`, `-0.0`); quoted and block
/// scalars are strings.
class Node {
 public:
  enum class Kind : std::uint8_t { null, boolean, integer, real, string, list, map };

  Kind kind = Kind::null;
  Position at;                          ///< of the value's first character
  std::string text;                     ///< a scalar's text as written (unquoted content for strings)
  Scalar number;                        ///< for boolean, integer, real
  std::vector<Node> items;              ///< of a list
  std::vector<Member> members;          ///< of a map, in the order written
  std::vector<Position> key_positions;  ///< parallel to `members`

  bool is_scalar() const { return kind != Kind::list && kind != Kind::map; }
  bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  /// A map's member, or nullptr.
  const Node* find(std::string_view key) const;
};

/// A key and its value.
struct Member {
  std::string first;
  Node second;
};

std::string_view name(Node::Kind kind);

/// A file as read. Its text is kept for the carets in errors.
struct Document {
  std::string file;
  std::shared_ptr<const std::string> text;
  Node root;

  /// An error about a place in this document, with the source line filled in.
  Error error(Position at, std::string what, std::string hint = {}) const;
};

Result<Document> read_file(const std::string& path, const TextLimits& limits = {});
Result<Document> read_text(std::string file_name, std::string text, const TextLimits& limits = {});

/// Checks a document against a JSON Schema (draft-07) of spec/data/schema, by short name: `ops` for
/// ops.schema.json. Returns all errors at once, each at its place, with suggestions for unknown keys. Empty
/// when the document is valid.
Errors validate(const Document& document, std::string_view schema);

}  // namespace scatterproof::spec::yaml
