// SPDX-License-Identifier: Apache-2.0
// Runs and judges the documents' printed formulas: each is proved equal to its spec's meaning.
#pragma once

#include "scatterproof/runner/baseline/baseline.hpp"
#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/runner/run/execute.hpp"

namespace scatterproof::runner {

/// The engine name of these records.
inline constexpr const char* proof_engine_name = "formula";

/// One record per selected formula: executed on small inputs, exhaustively where that is possible, against
/// the meaning. True when it was stopped.
bool prove_formulas(const Catalogue& catalogue, Baseline& baseline, const ExecuteOptions& options);

}  // namespace scatterproof::runner
