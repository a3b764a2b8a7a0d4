// SPDX-License-Identifier: Apache-2.0
// Lists of tensors in expressions. What names a list is written out over its items, so that whatever reads a
// checked tree sees the items alone. Each node that this replaces keeps what was written.
#pragma once

#include <string_view>

#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::language {

/// Of a call: each list among the operands becomes its items.
void put_items(Node& call, const Scope& scope);

/// Of a call of shapes: `shape(list)` and `index_shape(list)` become the shapes of the items. That of an item
/// that is not given is (), which broadcasts to any.
void put_shapes(Node& call, const Scope& scope);

/// What a quantifier over a list asks of item `i`: its body, where the item is given and the filter holds.
/// Of `each`, a tuple of one integer or of none.
Node of_item(const Node& quantified, const Scope& scope, const Scope::List& list, std::size_t i);

/// Puts together what of_item has made of each item.
Node put_together(const Node& quantified, std::vector<Node> of_items);

/// The first node below that binds this name; null: none does.
const Node* binding_of(std::string_view name, const Node& node);

}  // namespace scatterproof::spec::language
