// SPDX-License-Identifier: Apache-2.0
// The documents' printed formulas as something that is run and judged: each proved equal to its spec's
// meaning.
#pragma once

#include "baseline.hpp"
#include "catalogue.hpp"
#include "execute.hpp"

namespace scatterproof::runner {

/// The name these records go by among the engines.
inline constexpr const char* proof_engine_name = "formula";

/// One record per selected formula: executed on small inputs, exhaustively where that is possible, against
/// the meaning. True when it was told to stop.
bool prove_formulas(const Catalogue& catalogue, Baseline& baseline, const ExecuteOptions& options);

}  // namespace scatterproof::runner
