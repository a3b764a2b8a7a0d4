// SPDX-License-Identifier: Apache-2.0
// tests/tree/results/expected/status.md: how much of each document specs and cases cover, and which engines
// execute the calls of each API.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/documents/audit.hpp"
#include "texts.hpp"

namespace scatterproof::runner::cli {

/// One text, and how it stands.
struct HeldText {
  AvailableText text;
  spec::TextAudit audit;
};
using HeldTexts = std::map<std::string, HeldText>;  ///< by the text's name

/// Prints it on stdout. Starts every installed framework and each of its compiled forms, and executes a few
/// cases of each API on the forms: only then is it known whether a compiler takes a call.
void print_status(const std::vector<const spec::OpSpec*>& chosen, const HeldTexts& held,
                  const spec::SpecLibrary& library, const std::vector<spec::Case>& cases,
                  const engines::Places& places);

}  // namespace scatterproof::runner::cli
