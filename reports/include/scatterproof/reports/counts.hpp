// SPDX-License-Identifier: Apache-2.0
// How many calls were judged and how many were not: the figures that every report begins or ends with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::reports {

/// Whether the oracle took a side: the document allows what the engine did, or it does not.
constexpr bool is_judged(spec::Verdict verdict) {
  return verdict != spec::Verdict::open && verdict != spec::Verdict::unsupported &&
         verdict != spec::Verdict::infra && verdict != spec::Verdict::disputed;
}

struct CallCounts {
  std::uint64_t judged = 0;
  std::uint64_t failed = 0;  ///< of those judged, whether a baseline describes them or not
  std::uint64_t known = 0;   ///< of those that failed: a baseline describes them
  std::uint64_t flaky = 0;   ///< of those that failed: they did not when they were asked again
  std::map<spec::Verdict, std::uint64_t> not_judged;

  void add(spec::Verdict verdict, spec::Disposition disposition, std::uint64_t calls);
  std::uint64_t all() const;
  bool has(spec::Verdict not_judged_for) const { return not_judged.contains(not_judged_for); }
};

/// `12 calls judged, of them 2 failed (1 known); not judged: 3 open, 1 unsupported`.
std::string headline(const CallCounts& counts);
/// If calls are missing, how many: `16 of 25 calls done: 12 calls judged, ...`. `planned`: 0 if unknown.
std::string headline(const CallCounts& counts, std::size_t planned);

}  // namespace scatterproof::reports
