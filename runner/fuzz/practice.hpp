// SPDX-License-Identifier: Apache-2.0
// What engines do with calls that break a rule for which the document promises nothing: one policy for the
// calls of one class, or several.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scatterproof/runner/fuzz/campaign.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::fuzz {

/// Calls of contiguous tensors whose index breaks one rule, by class: the rule, the repair of the index that
/// would make the call valid, the argument that is repaired, the dtypes of data, and which tensors have no
/// elements. An engine that repairs some calls of a class and refuses others has no policy for it.
class Practices {
 public:
  struct Asked {
    const spec::OpSpec* op = nullptr;
    const engines::EngineInfo* engine = nullptr;
    std::uint64_t number = 0;  ///< of the call
    const GeneratedCall* made = nullptr;
  };
  /// Takes note of a call that breaks a rule, and of its outcome (as `practice_of`).
  void saw(const Asked& asked, const spec::Target& target, const spec::Outcome& outcome,
           const spec::Diagnosis& practice);

  /// Takes note that a valid call was refused with this message: refusals that say the same have another
  /// cause than the rule that their call breaks.
  void saw_valid_refused(const std::string& api, const std::string& engine, const std::string& message);

  void take(const Practices& others);

  /// A failure for each class in which several calls were repaired, and several refused. The call is the
  /// first that was repaired; the explanation has one that was refused.
  std::vector<std::pair<Kind, Failure>> mixed() const;

 private:
  /// The API, the engine, the rule, the repair and the argument, the forms of the tensors.
  using Class = std::tuple<std::string, std::string, const spec::Rule*, spec::Diagnosis, std::string>;
  struct Side {
    std::uint64_t count = 0;
    std::uint64_t clear = 0;                     ///< calls whose result no other repair explains
    std::uint64_t number = 0;                    ///< of the first
    std::shared_ptr<const GeneratedCall> first;  ///< null: none
    std::string said;                            ///< of a refusal: its message

    void take(const Side& other);
  };
  /// Refusals by the dtypes of the index, as an engine may not offer some of them, and by their message.
  struct Sides {
    Side repaired;
    std::map<std::pair<std::string, std::string>, Side> refused;
  };
  Side refused(const Class& of, const Sides& sides) const;

  std::map<Class, Sides> classes_;
  /// The dtypes of an index that an engine repaired: API, engine, dtypes.
  std::set<std::tuple<std::string, std::string, std::string>> repaired_dtypes_;
  /// API, engine, message.
  std::set<std::tuple<std::string, std::string, std::string>> valid_refusals_;
};

}  // namespace scatterproof::runner::fuzz
