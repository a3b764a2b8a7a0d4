// SPDX-License-Identifier: Apache-2.0
// Mapping claims: published statements about two calls that are to mean the same. spec/data/claims/*.yaml,
// docs/formats/claims-format.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/language/language.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::claims {

/// A tensor made element by element. `each` sees the position as `p`.
struct TensorMapping {
  spec::ExpressionPtr sizes, dtype, each;
};
/// An argument of A as it is.
struct SameArgument {
  std::string argument;
};
/// The word that replaces each word of an argument of A; a claim does not mention others.
struct WordMap {
  std::string by;
  std::vector<std::pair<std::string, spec::Argument>> table;
};
/// The result of A, of a claim about two calls in turn.
struct FirstResult {};
/// How one argument of B follows from those of A; spec::Argument: a constant.
using Mapping =
    std::variant<SameArgument, spec::Argument, WordMap, spec::ExpressionPtr, TensorMapping, FirstResult>;

/// A difference that the claim itself names.
struct StatedDifference {
  std::string says;
  spec::ExpressionPtr when;    ///< the calls of A that it is about; null: of no call
  bool only_refusals = false;  ///< only a refusal by B is meant, not another result
};

/// A call that a source prints, with what it gives there.
struct PrintedCall {
  const spec::OpSpec* op = nullptr;
  spec::Call call;
  std::optional<spec::Tensor> gives;  ///< empty: an error
};

/// The result of a claim.
enum class ClaimStanding : std::uint8_t {
  holds,     ///< B did on every call what A's document requires
  holds_if,  ///< B differed on calls that the claim excepts, and on no others
  refuted,   ///< B differed on a call that the claim is about
  not_run    ///< nothing was executed
};
std::string_view name(ClaimStanding standing);
std::optional<ClaimStanding> parse_standing(std::string_view name);

struct MappingClaim {
  std::string id;
  std::vector<std::string> sources;  ///< ids of the file's
  std::string word;                  ///< how the source classes it; may be empty
  std::string says;                  ///< the claim in the source's notation
  std::string because;               ///< why it is not executed; then what follows is empty
  const spec::OpSpec* a = nullptr;
  const spec::OpSpec* b = nullptr;
  std::string form;  ///< B is A itself in this form of its framework, `onnx`; empty: an API of its own
  spec::ExpressionPtr when;  ///< the calls of A that the claim is about; null: all
  std::vector<std::pair<std::string, Mapping>> arguments;  ///< of B; others have their defaults
  std::optional<TensorMapping> result;  ///< what A's result is, made of B's, which `each` sees as `result`
  /// Of a claim about two calls in turn: what B must give when it gets A's result. Otherwise B must give what
  /// A's document requires.
  std::optional<TensorMapping> gives;
  std::vector<StatedDifference> stated;
  std::vector<spec::Call> calls;  ///< of A, instead of generated ones: the examples that a page prints
  /// Instead of A and B, which are null then: each call is executed by its own framework.
  std::vector<PrintedCall> prints;
  /// The standing that is known, by the engine that executes B; under "" for any.
  std::map<std::string, ClaimStanding> expect;
  spec::Position at;
};

struct ClaimSource {
  std::string id, title, date;
};

/// The claims of one file.
struct ClaimFile {
  std::string file;
  std::string title;
  std::vector<ClaimSource> sources;
  std::vector<MappingClaim> claims;
};

/// `specs` must outlive the claims. Errors: of all files together, each at its place.
spec::Result<std::vector<ClaimFile>> load_claims(const std::string& folder, const spec::SpecLibrary& specs);
spec::Result<ClaimFile> load_claims_text(std::string file_name, std::string text,
                                         const spec::SpecLibrary& specs);

/// Whether the claim is about a call of A.
bool is_about(const MappingClaim& claim, const spec::Call& call);
/// The call of B that the claim substitutes for a call of A, or why it names none. `first`: A's result, which
/// must be given for two calls in turn.
std::variant<spec::Call, std::string> said(const MappingClaim& claim, const spec::Call& call,
                                           const spec::Tensor* first = nullptr);
/// What B must give after A's call, or why that cannot be computed. Precondition: the claim is about two
/// calls in turn.
std::variant<spec::Tensor, std::string> given_back(const MappingClaim& claim, const spec::Call& call);
/// What B's result stands for, or why that cannot be computed.
std::variant<spec::Tensor, std::string> result_of(const MappingClaim& claim, const spec::Call& call,
                                                  const spec::Tensor& result);
/// Whether an expression over A's arguments holds for a call; one without a value does not.
bool holds_for(const spec::OpSpec& a, const spec::language::Expression& expression, const spec::Call& call);

}  // namespace scatterproof::runner::claims
