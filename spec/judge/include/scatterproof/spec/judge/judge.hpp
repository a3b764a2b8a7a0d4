// SPDX-License-Identifier: Apache-2.0
// The judge: takes what a document allows and an outcome, returns a verdict. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scatterproof/spec/core/diagnosis.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/core/verdict.hpp"
#include "scatterproof/spec/judge/expectation.hpp"

namespace scatterproof::spec {

/// The judge's decision on one outcome.
struct Judgement {
  Verdict verdict = Verdict::infra;
  ComparisonMode mode = ComparisonMode::none;
  Diagnosis diagnosis = {};      ///< what is wrong, or why it proves nothing; none for a plain pass
  std::string explanation = {};  ///< empty for a plain pass; else sentences for a person, lines split by \n
  LikelyCauses causes = {};      ///< each explains every cell; not part of the explanation
  std::string message = {};      ///< of a refusal: the engine's full message
  /// The widest bound used on a cell, absolute; only for ComparisonMode::bound.
  std::optional<double> bound = std::nullopt;
  /// The smallest change that losing one contribution makes to its cell, over the cell's bound; the worst
  /// cell's. Below 1 a lost contribution might not show. Only for ComparisonMode::bound.
  std::optional<double> sensitivity = std::nullopt;
  /// Colliding row updates: every row arrived whole (not mixed). Empty when no row is written twice.
  std::optional<bool> rows_whole = std::nullopt;
};

/// The verdict on an outcome. Pure; throws nothing but LimitReached, when a WorkLimit is passed. `native`:
/// the engine speaks refusal kinds instead of exceptions.
Judgement judge(const Expectation& expectation, const Outcome& outcome, bool native = false);

/// How much of a cell's value follows from its bag, whatever the order and width of combination.
enum class Settled : std::uint8_t { no, but_for_zero_sign, whole };
/// One per cell, row-major. Uses nothing that a document leaves free or promises, such as which of several
/// assigned values is the last.
std::vector<Settled> settled(Bag bag);

/// Whether a wrong result is explained in every cell by contributions that landed by these strides, and not
/// by those of the dense result. What would land outside is lost. Where no write at all explains it, too,
/// that is the plainer cause, and this is false.
bool is_written_by(const Bag& bag, const Tensor& actual, const Shape& strides);

/// Compares with printed values on top: the document's own numbers, identical unless the comparison mode is
/// `bound`, where the printed digits are what the document rounded to.
Judgement judge_printed(const Bag& bag, const Tensor& printed, const Tensor& actual);

}  // namespace scatterproof::spec
