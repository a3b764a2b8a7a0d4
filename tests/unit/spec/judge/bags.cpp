// SPDX-License-Identifier: Apache-2.0
#include "bags.hpp"

namespace scatterproof::spec::testing {

Scalar num(DType dtype, double value) { return convert(Scalar::of_real(value), dtype); }

Values nums(DType dtype, const std::vector<double>& values) {
  Values all;
  for (const double value : values) all.push_back(num(dtype, value));
  return all;
}

Bag bag_of(const BagPlan& plan) {
  Bag bag;
  bag.dtype = plan.dtype;
  bag.combine = plan.combine;
  bag.shape = plan.shape;
  bag.start = plan.start;
  bag.start_name = "self";
  bag.offsets = {0};
  for (std::int64_t cell = 0; cell < numel(plan.shape); ++cell) {
    if (const auto found = plan.writes.find(cell); found != plan.writes.end())
      for (const Scalar& value : found->second) {
        const auto k = static_cast<std::int64_t>(bag.list.size());
        bag.list.push_back({value, {0, k}, k});
      }
    bag.offsets.push_back(static_cast<std::int64_t>(bag.list.size()));
  }
  bag.origins = {{"src", {static_cast<std::int64_t>(bag.list.size())}}};
  return bag;
}

Bag one_cell(DType dtype, Combiner combine, std::optional<Scalar> start, Values contributions) {
  BagPlan plan{dtype, combine, {}, std::nullopt, {{0, std::move(contributions)}}};
  if (start) plan.start = Values{*start};
  return bag_of(plan);
}

Outcome produced(const Bag& bag, const Values& values) {
  return {Produced{{Tensor(bag.dtype, bag.shape, values)}, {}}, 0};
}

Judgement judged(const Bag& bag, const Values& values) {
  Expectation expectation;
  expectation.what = bag;
  expectation.because = "the formula says so (doc, formula)";
  return judge(expectation, produced(bag, values));
}

Judgement judged(const Bag& bag, const Scalar& value) { return judged(bag, Values{value}); }

bool accepted(const Judgement& judgement) {
  return judgement.verdict == Verdict::pass || judgement.verdict == Verdict::weak;
}

std::string dtype_name(const ::testing::TestParamInfo<DType>& info) { return std::string(name(info.param)); }

}  // namespace scatterproof::spec::testing
