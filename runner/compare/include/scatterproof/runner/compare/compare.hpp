// SPDX-License-Identifier: Apache-2.0
// How the members of a family take the same inputs: what each does in each input class, and the differences.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/runner/compare/inputs.hpp"
#include "scatterproof/runner/compare/observe.hpp"
#include "scatterproof/runner/compare/portable.hpp"

namespace scatterproof::runner::compare {

/// One thing that a member does in an input class.
struct Behaviour {
  static constexpr std::string_view unexplained = "unexplained";
  /// `refuses`, `refuses after writing`, `crashes`, `as defined`, readings joined by ` and `, `unexplained`
  std::string name;
  std::string letter;        ///< for matrices
  std::size_t count = 0;     ///< inputs
  std::size_t input = 0;     ///< the smallest of them: a place in ComparisonResult::inputs
  std::string outcome = {};  ///< of that one, in one line
  std::string digest = {};   ///< of its result, as in records; empty: there is none
  bool repeated = true;  ///< false: asked again in a fresh process, the member did something else each time
  bool asked_again = true;  ///< false: there was no time to ask again, or the engine did not start again
};

/// What a member does with the inputs of a row.
struct Cell {
  std::vector<Behaviour> does;  ///< the most frequent first; empty: no such input could be put to it
  std::string why_none = {};    ///< of an empty cell
  bool unasked = false;         ///< there was no time for some of the inputs
  /// Of all behaviours, `~` after one that is not repeated. None: `.` if there was no time, else `-`.
  std::string letters() const;
};

/// What members do with the inputs that are in these classes and no others.
struct ClassRow {
  std::vector<std::size_t> classes;  ///< one, none, or two
  std::vector<Cell> cells;           ///< by member
};

enum class DivergenceKind : std::uint8_t {
  documented,    ///< every member that takes part does what its document says
  undocumented,  ///< some document does not say, or promises nothing
  contradicts,   ///< some member does what its own document forbids
  form_drift,    ///< one API on one release of a framework, in several forms: eager, compiled, ..
  drift          ///< one API on several other engines
};
std::string_view name(DivergenceKind kind);

/// An input that members take in different ways.
struct Divergence {
  struct Side {
    std::string does;                  ///< as Behaviour::name
    std::vector<std::size_t> members;  ///< places in ComparisonResult::members
    friend bool operator==(const Side&, const Side&) = default;
  };
  std::string in;           ///< the row's name
  std::vector<Side> sides;  ///< in the order of members
  DivergenceKind kind = DivergenceKind::undocumented;
  Input witness;
  std::vector<Observation> answers;     ///< of every member to the witness
  bool minimal = false;                 ///< nothing smaller shows it
  bool repeated = true;                 ///< false: asked again, some member did something else
  bool in_time = true;                  ///< false: no time was left to make it small or say it portably
  std::vector<Portable> portable = {};  ///< ways of writing it that bring members together which part

  /// `index/negative: refuses | counts-from-end`.
  std::string name() const;
};

struct ComparisonResult {
  std::vector<FamilyMember> members;
  std::vector<Input> inputs;
  /// One for each class, one for inputs in none, and one for each pair of classes in which the behaviour of a
  /// member does not follow from either class alone.
  std::vector<ClassRow> rows;
  std::vector<Divergence> differences;                 ///< in the order of rows
  std::vector<std::size_t> classes_missed;             ///< that no input is in alone
  std::size_t pairs_reached = 0;                       ///< pairs of classes that some input is in
  std::map<std::string, std::size_t> left_out;         ///< by engine, calls that there was no time for
  std::map<std::string, std::size_t> not_asked_again;  ///< by engine, letters that there was no time for
};

struct Plan {
  const spec::FamilyComparison& comparison;
  std::vector<FamilyMember> members;
  InputWishes wishes = {};
  std::chrono::milliseconds timeout{10'000};  ///< a call
  /// For everything; empty: as long as it takes. What there was no time for is named in the result.
  std::optional<double> seconds = {};
  double starts = 0;          ///< seconds of these in which the engines start again, to be asked again
  double shrink_seconds = 2;  ///< for each difference; longer while it is large
  bool drift = false;         ///< only differences of one API on several engines
  /// What is known so far: first all rows, then one difference more each time.
  std::function<void(const ComparisonResult& compared)> found = {};

  void tell(const std::string& what) const {
    if (wishes.progress) wishes.progress(what);
  }
  bool is_interrupted() const { return wishes.interrupted && *wishes.interrupted; }
};

ComparisonResult compare(const Plan& plan);

/// `index/negative`, `index/negative + data/no-dimensions`; empty for inputs in none.
std::string name_of(const spec::FamilyComparison& comparison, const std::vector<std::size_t>& classes);
/// In words, what inputs of these classes are.
std::string words_of(const spec::FamilyComparison& comparison, const std::vector<std::size_t>& classes);

}  // namespace scatterproof::runner::compare
