// SPDX-License-Identifier: Apache-2.0
// What is said of a printed formula.
#include "scatterproof/runner/run/proofs.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace scatterproof::runner {
namespace {

/// The record of the toy spec's one formula, printed so.
spec::Record proof_of(const std::string& reads, const std::string& when, bool marked_wrong = false) {
  std::ifstream file(SCATTERPROOF_SOURCE_DIR "/tests/unit/runner/toy.spec.yaml");
  std::ostringstream text;
  text << file.rdbuf()
       << "formulas:\n  - id: f\n    from: {document: doc, section: Formula}\n    when: " << when
       << "\n    reads: \"" << reads << "\"\n";
  const auto loaded = spec::load_op_spec_text("toy.spec.yaml", text.str());
  EXPECT_TRUE(loaded) << (loaded ? "" : spec::to_string(loaded.errors()));
  if (!loaded) return {};
  spec::OpSpec op = *loaded;
  op.formulas.front().wrong = marked_wrong;
  const Catalogue catalogue{
      spec::SpecLibrary({}), {}, {{"toy.put/formula/f", &op, &op.formulas.front()}}, {}, true};
  spec::Record record;
  ExecuteOptions options;
  options.judged = [&](const spec::Record& one) { record = one; };
  Baseline baseline;
  prove_formulas(catalogue, baseline, options);
  return record;
}

TEST(Proofs, AreDiagnosed) {
  const std::string right = "self[index[i]] = src[i]", wrong = "self[index[i]] += src[i]";
  const std::string when = "rank(self) == 1 and rank(index) == 1 and shape(src) == shape(index)";
  EXPECT_EQ(proof_of(right, when).verdict, spec::Verdict::pass);
  EXPECT_EQ(to_string(proof_of(right, when).diagnosis), "");
  EXPECT_EQ(to_string(proof_of(wrong, when).diagnosis), "formula/differs_from_meaning");
  EXPECT_EQ(proof_of(wrong, when, true).verdict, spec::Verdict::pass);
  EXPECT_EQ(to_string(proof_of(right, when, true).diagnosis), "formula/marked_wrong_but_right");
  EXPECT_EQ(to_string(proof_of(right, when + " and size(self, 0) == 99").diagnosis),
            "formula/never_executed");
}

}  // namespace
}  // namespace scatterproof::runner
