// SPDX-License-Identifier: Apache-2.0
// The type of a plain scalar by the YAML 1.2 core schema, with the extensions docs/formats/yaml.md names.
#pragma once

#include <string>
#include <string_view>

#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::spec::yaml {

struct PlainValue {
  Node::Kind kind = Node::Kind::string;
  Scalar number = {};      ///< of a boolean, integer or real
  std::string wrong = {};  ///< not empty: the text is a number that 64 bits cannot hold
  std::string hint = {};
};

PlainValue type_plain(std::string_view text);

}  // namespace scatterproof::spec::yaml
