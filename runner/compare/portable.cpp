// SPDX-License-Identifier: Apache-2.0
#include "portable.hpp"

#include "readings.hpp"

namespace scatterproof::runner::compare {

std::optional<Portable> portable(const ComparisonSetting& setting, const Input& input) {
  Portable found;
  for (const std::size_t c : input.classes) {
    const auto reading = setting.comparison.classes[c].portable;
    if (!reading) return {};
    found.made.push_back(&setting.comparison.readings[*reading]);
  }
  if (found.made.empty()) return {};
  auto said = changed(setting.comparison, input.said, found.made);
  if (!said) return {};
  found.input = classified(setting.comparison, *std::move(said));
  const std::vector<Observation> answers = ask(setting, {&found.input, 1}).front();
  found.agreed = true;
  for (std::size_t a = 0; a < answers.size(); ++a) {
    if (answers[a].kind == Observation::Kind::absent) continue;
    if (answers[a].kind == Observation::Kind::produced) ++found.answered;
    found.agreed &= answers[a].kind == Observation::Kind::produced;
    for (std::size_t b = 0; b < a; ++b) found.agreed &= !differ(answers[a], answers[b]);
  }
  return found;
}

}  // namespace scatterproof::runner::compare
