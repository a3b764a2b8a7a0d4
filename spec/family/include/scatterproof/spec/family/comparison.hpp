// SPDX-License-Identifier: Apache-2.0
// How the members of a family are compared: input classes, on which they may differ, and readings, which name
// what a member did. spec/data/comparisons, docs/use/compare.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/family/family.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// One way of interpreting a call: a change of its arguments, of what the meaning skips, or of how colliding
/// values are combined.
struct CallReading {
  using Edits =
      std::vector<std::pair<std::string, ExpressionPtr>>;  ///< a role, and the sizes or the value it gets
  enum class PassesOver : std::uint8_t {
    nothing,
    dropped,  ///< a write out of range is left out
    zero,     ///< what is read out of range is 0
    invalid   ///< it is NaN; of integers the lowest number, of unsigned ones the highest; true
  };
  std::string id;
  std::string says;
  std::string letter;  ///< one character, for matrices; unique among the readings of a family
  ExpressionPtr
      index;  ///< what an element i of the index counts as; s: the size within which it counts. May be null
  PassesOver passes_over = PassesOver::nothing;
  std::string combines =
      {};  ///< how values that meet are combined: a word of the schema; empty: as the call says
  ExpressionPtr untouched = {};           ///< the number that places hold which nothing reaches; may be null
  bool starts = false;                    ///< that number takes part in places that something reaches, too
  Edits stretches = {};                   ///< tensors repeated to these sizes, as numpy broadcasts
  Edits cuts = {};                        ///< tensors that count up to these sizes only
  Edits reshapes = {};                    ///< tensors with the same elements and these sizes
  Edits fills = {};                       ///< tensors whose elements, over and over, make these sizes
  Edits values = {};                      ///< integers
  std::vector<std::string> flushes = {};  ///< tensors whose denormal numbers are 0
  std::vector<std::string> copies = {};   ///< tensors with the same elements in a storage of their own
  std::vector<std::pair<std::string, std::string>> casts =
      {};  ///< tensors converted: to a dtype, or to a role's

  /// Whether the caller can do it, before the call.
  bool changes_only_arguments() const {
    return passes_over == PassesOver::nothing && combines.empty() && !untouched;
  }
};

/// A property of a call, on which members may part.
struct FamilyInputClass {
  std::string id;
  std::string says;
  ExpressionPtr
      some;  ///< over i and s: it holds for some element of the index. One of `some`, `when` is null
  ExpressionPtr when;    ///< over the names of `FamilyComparison::frame`
  std::string overlaps;  ///< a role: some elements of its tensor share storage
  std::string views;     ///< a role: its tensor is a part of a storage, or lies there in another order
  bool open = false;     ///< the common meaning allows several results: only a reading names one
  /// Those that distinguish members here, as positions in FamilyComparison::readings.
  std::vector<std::size_t> readings;
  std::vector<std::size_t>
      portable;  ///< readings that may be made before the call, in addition to `readings`
};

/// All that is needed to compare the members of one family.
struct FamilyComparison {
  const Family* family = nullptr;
  OpSpec meaning;  ///< what the members mean where they agree; its arguments are the family's roles
  std::vector<FamilyInputClass> classes;
  /// Finer properties, after which only the difference of two calls is named (claims): members are not
  /// compared by them.
  std::vector<FamilyInputClass> details;
  std::vector<CallReading> readings;

  const FamilyInputClass* find_class(std::string_view id) const;
};

/// Reads classes.yaml, readings.yaml and meanings/<family>.yaml of a folder. Entries of other families are
/// checked as far as possible and left out. `families`, to which `family` belongs, must outlive the result.
Result<FamilyComparison> load_comparison(const std::string& folder, const FamilyLibrary& families,
                                         const Family& family);

/// The names for the expressions of classes and readings: roles, policies, lets, and the family's `stream`. A
/// class's `when` has `collides` after them: whether some place receives several values.
language::Frame comparison_frame(const Family& family, const FamilyCall& said);

/// The size within which the element at position `p` of the index counts; where the index is a list, that of
/// its item with this number, from 0. Empty: there is none.
std::optional<std::int64_t> counts_within(const Family& family, const language::Frame& frame, const Coords& p,
                                          std::int64_t item);

/// Whether the expression holds for an element of the index; false where it has no value.
bool holds_for_element(const ExpressionPtr& some, std::int64_t i, std::int64_t s);

}  // namespace scatterproof::spec
