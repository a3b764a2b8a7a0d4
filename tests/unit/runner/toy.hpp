// SPDX-License-Identifier: Apache-2.0
// One small spec and three cases of it, for tests of the runner that care about neither.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "scatterproof/runner/catalogue/catalogue.hpp"

namespace scatterproof::runner {

inline Catalogue toy_catalogue() {
  const std::string folder = SCATTERPROOF_SOURCE_DIR "/tests/unit/runner/";
  auto op = spec::load_op_spec(folder + "toy.spec.yaml");
  EXPECT_TRUE(op) << (op ? "" : spec::to_string(op.errors()));
  Catalogue catalogue{spec::SpecLibrary({*op}), {}, {}, {}, true};
  auto cases = spec::load_cases(folder + "toy.cases.yaml", catalogue.specs);
  EXPECT_TRUE(cases) << (cases ? "" : spec::to_string(cases.errors()));
  catalogue.cases = *cases;
  return catalogue;
}

}  // namespace scatterproof::runner
