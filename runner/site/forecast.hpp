// SPDX-License-Identifier: Apache-2.0
// What the documents of a family say of one set of calls, without any engine.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scatterproof/runner/compare/compare.hpp"

namespace scatterproof::runner::site {

/// What a document says of the inputs of one class.
struct ForeseenBehaviour {
  std::string name;       ///< as in comparisons, or `undefined`, `silent`
  std::size_t input = 0;  ///< the smallest: a place in Forecast::inputs
};

/// A way of writing a call so that two APIs give the same.
struct PairAdvice {
  bool keeps_first = false, keeps_second = false;  ///< whose result it keeps
  std::string says;                                ///< what to change first
  std::string first, second;                       ///< the calls then
};

/// A class of calls in which the documents of two APIs, or what was seen of them, differ.
struct PairDifference {
  std::string input_class;  ///< empty: calls of no class
  std::string says;
  std::string first, second;                  ///< what either document says, in words
  std::string first_call, second_call;        ///< the smallest call that shows it
  std::string first_outcome, second_outcome;  ///< by the document; empty: it promises none
  std::vector<PairAdvice> advice = {};
};

class Forecast {
 public:
  /// All outlive this. Takes seconds; once it is interrupted, there is little in it.
  Forecast(const spec::FamilyComparison& comparison, const spec::FamilyLibrary& families,
           const spec::SpecLibrary& specs, const std::atomic<bool>& interrupted);

  const spec::FamilyComparison& comparison() const { return comparison_; }
  const std::vector<compare::FamilyMember>& members() const { return members_; }
  std::optional<std::size_t> place_of(const std::string& api) const;

  /// By class, what the member's document says of its inputs; `""`: of inputs in no class.
  std::map<std::string, std::vector<ForeseenBehaviour>> behaviours(std::size_t member) const;
  /// The member's call of an input, and what its document gives for it.
  std::string call_text(std::size_t member, std::size_t input) const;
  std::string outcome_text(std::size_t member, std::size_t input) const;
  /// Where two documents differ. `also`: classes to be shown even if they do not.
  std::vector<PairDifference> differences(std::size_t first, std::size_t second,
                                          const std::vector<std::string>& also) const;
  /// What a name of a behaviour means.
  std::string words_of(const std::string& behaviour) const;

 private:
  std::string name_of(std::size_t input, std::size_t member) const;
  std::string reading_name(std::size_t input, std::size_t member) const;
  /// How many results each explanation explains.
  using Explained = std::array<std::size_t, 64>;
  void count_explained();
  const Explained* explained(std::size_t input, std::size_t member) const;
  std::vector<PairAdvice> advice(std::size_t first, std::size_t second, std::size_t input) const;
  std::optional<std::size_t> showing(const std::vector<std::size_t>& which, std::size_t first,
                                     std::size_t second, bool any) const;
  bool can_say(std::size_t input, std::size_t member) const;

  const spec::FamilyComparison& comparison_;
  std::unique_ptr<engines::Engine> documents_;
  std::vector<compare::FamilyMember> members_;
  std::vector<compare::Input> inputs_;
  std::vector<std::vector<compare::Observation>> answers_;      ///< [input][member]
  std::map<std::string, std::vector<std::size_t>> of_classes_;  ///< inputs
  std::map<std::string, std::vector<Explained>> explained_;     ///< by class and member
};

}  // namespace scatterproof::runner::site
