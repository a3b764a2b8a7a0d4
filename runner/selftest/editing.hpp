// SPDX-License-Identifier: Apache-2.0
// Shared by all kinds of edits: visits the nodes of a tree and proposes replacement texts for each.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "edits.hpp"
#include "scatterproof/spec/language/print.hpp"

namespace scatterproof::runner::selftest {

using Node = spec::language::Node;

class Editing {
 public:
  explicit Editing(const Node& root) : root_(root) {}

  /// Proposes the expression with this text in the node's place.
  void propose(const Node& node, Sense sense, const std::string& text) {
    edits_.push_back(
        {sense, spec::language::print(root_, [&](const Node& other) -> std::optional<std::string> {
           if (&other == &node) return "(" + text + ")";
           return std::nullopt;
         })});
  }

  std::vector<Edit> take() && { return std::move(edits_); }

 private:
  const Node& root_;
  std::vector<Edit> edits_;
};

/// The text of a node, in parentheses so that it fits anywhere.
inline std::string text_of(const Node& node) { return "(" + spec::language::print(node) + ")"; }

/// The node's operands, one left out, with a word between each two.
std::string joined_without(const Node& node, std::size_t left_out, std::string_view between);

}  // namespace scatterproof::runner::selftest
