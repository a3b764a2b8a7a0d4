// SPDX-License-Identifier: Apache-2.0
// Expected failures as data: which engines are expected to fail, with which verdicts, and why.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::runner {

/// The cases that an entry is about, or some of them.
struct CaseGlob {
  std::string glob;
  int line = 0;                  ///< in the file
  std::size_t matched = 0;       ///< records that the entry explained
  std::size_t contradicted = 0;  ///< records in its range that do not fail as the entry says
};

struct BaselineEntry {
  std::vector<CaseGlob> cases;  ///< at least one
  std::string operation_glob;   ///< of the API's operation or family; empty: any
  std::string engine_glob;      ///< matches the engine's name with or without its version
  std::string versions;         ///< range of the engine's version; empty: any
  std::vector<spec::Verdict> verdicts;
  std::vector<std::string>
      diagnosis_globs;       ///< of a diagnosis (diagnoses_of) without its numbers; empty: any
  std::string message_glob;  ///< of what the engine said; empty: any
  std::string call_glob;     ///< of a generated call's text_of(); empty: any
  std::string reason;
  std::string link;
  std::string since;
  std::string owner;
  std::string expires;     ///< the last day on which it excuses, YYYY-MM-DD; empty: it always does
  bool sometimes = false;  ///< it depends on earlier calls or on chance: not stale when it does not happen
  std::string file;
  int line = 0;
};

/// Whether a dotted version is in a range such as `>=2.0,<3` or `2.13.0` (that release); `*` or empty:
/// always.
bool version_in_range(const std::string& version, const std::string& range);
/// An error text when the range cannot be read; empty when it can.
std::string check_range(const std::string& range);

/// Whether it is certain that whatever the second glob matches is matched by the first.
bool covers_glob(const std::string& wide, const std::string& narrow);

/// Whether the entry's last day is before `today`.
bool is_expired(const BaselineEntry& entry, const std::string& today);

/// Whether an entry is about failures of this engine in this version.
bool speaks_of(const BaselineEntry& entry, const std::string& engine, const std::string& version);

/// Whether the record is a failure that the entry describes. `call`: the generated call that the record is
/// about; null: all calls that it stands for.
bool describes(const BaselineEntry& entry, const spec::Record& record, const spec::Call* call = nullptr);

/// What `diagnosis` of an entry is compared with: the record's diagnosis; if that is a guess, each of its
/// likely causes.
std::vector<spec::Diagnosis> diagnoses_of(const spec::Record& record);

/// `torch.gather/fuzz/valid`, by which entries name generated calls, from `torch.gather/fuzz/valid/12`, which
/// is a call in a corpus. Other ids as they are.
std::string kind_of_id(const std::string& id);

/// `*/layout/sliced and 3 more of scatter_nd`: the cases of an entry in a few words.
std::string cases_of(const BaselineEntry& entry);

/// Whether an entry speaks of generated calls: whether such a call comes up is chance.
bool is_about_generated_calls(const BaselineEntry& entry);

/// Whose case a record is about. Entries about generated calls excuse a user's case too: it might have been
/// generated. What happens to a shipped case, an entry must say of the case.
enum class Whose : std::uint8_t { ours, users };

class Baseline {
 public:
  /// `today`, YYYY-MM-DD, decides which entries have expired; empty: none has.
  explicit Baseline(std::string today = {});

  /// Adds a file's entries; all of its errors at once.
  spec::Errors add(const std::string& path);

  /// Sets the record's disposition, and its known_reason when an entry matches. `call`: the generated call
  /// that the record is about.
  void reconcile(spec::Record& record, const spec::Call* call = nullptr, Whose whose = Whose::ours);

  /// The place of the entry that excuses such a record, as file:line; empty: none does. Several threads may
  /// ask at once.
  std::string place_of(const spec::Record& record, const spec::Call& call, Whose whose = Whose::ours) const;

  /// Entries that no longer happen (their cases ran and did not fail in that way) or, when the run was
  /// `whole`, that matched nothing although one of their engines took part.
  /// In a `shard` only entries about one case are judged: others may be matched in another shard. Entries
  /// about gradients alone are judged when the run had any.
  std::vector<spec::StaleEntry> stale(bool whole, const std::vector<spec::EngineSummary>& engines,
                                      bool shard = false) const;

  /// For the trailer of a shard: entries of these engines for several cases that no record matched, a line
  /// for each glob.
  std::vector<spec::StaleEntry> unmatched(const std::vector<spec::EngineSummary>& engines) const;

  const std::vector<BaselineEntry>& entries() const { return entries_; }

 private:
  /// No record matched, and one could have.
  bool may_be_stale(const BaselineEntry& entry, const CaseGlob& one) const;

  std::string today_;
  std::vector<BaselineEntry> entries_;
  bool has_gradients_ = false;  ///< some record was about gradients
};

using spec::is_failure;

}  // namespace scatterproof::runner
