// SPDX-License-Identifier: Apache-2.0
// The results of all claims, as a table for the terminal, a page and data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/claims/check.hpp"

namespace scatterproof::runner::claims {

struct Scorecard {
  const std::vector<ClaimFile>& files;
  std::vector<CheckedClaim> checked;
  std::vector<const MappingClaim*> chosen;  ///< the claims that were asked for
  std::string date;                         ///< `2026-11-23`
  std::string command;                      ///< that makes it again
  std::vector<std::string> engines;         ///< with their releases
  bool interrupted = false;                 ///< the last standing may rest on few calls
};

/// Whether the standing is the one that the claim's file records; also true without a record, or if the claim
/// was not run.
bool is_as_recorded(const CheckedClaim& checked);
/// Whether anything was executed.
bool was_run(const CheckedClaim& checked);

/// A line for each claim and engine, and the totals.
std::string console(const Scorecard& card);
/// The scorecard as a page; docs/results/claims.md has its figures.
std::string markdown(const Scorecard& card);
/// All of it, with both scripts of each witness.
std::string json(const Scorecard& card, const engines::Places& places);

}  // namespace scatterproof::runner::claims
