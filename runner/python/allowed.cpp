// SPDX-License-Identifier: Apache-2.0
#include "allowed.hpp"

#include <fmt/format.h>

#include <vector>

#include "scatterproof/spec/judge/range.hpp"

namespace scatterproof::runner::python {
namespace {

using engines::protocol::Parcel;
using spec::DType;
using spec::Scalar;

template <class Value>
spec::Tensor tensor_of(const std::vector<spec::Range>& ranges, DType dtype, const spec::Shape& shape,
                       const Value& value) {
  std::vector<Scalar> values;
  for (const spec::Range& range : ranges) values.push_back(value(range));
  return {dtype, shape, values};
}

void write_result(const spec::Bag& bag, std::string& line, Parcel& payload) {
  const std::vector<spec::Range> ranges = spec::ranges_of(bag);
  line += R"("result":[)";
  const auto add = [&](DType dtype, const auto& value, std::string_view end) {
    write(line, tensor_of(ranges, dtype, bag.shape, value), payload);
    line += end;
  };
  add(
      bag.dtype, [](const spec::Range& range) { return range.least; }, ",");
  add(
      bag.dtype, [](const spec::Range& range) { return range.greatest; }, ",");
  add(
      DType::boolean, [](const spec::Range& range) { return Scalar::of_bool(range.nan); }, ",");
  add(
      DType::boolean, [](const spec::Range& range) { return Scalar::of_bool(range.free); }, "]");
}

}  // namespace

void write_allowed(const spec::Expectation& expectation, std::string& line, Parcel& payload) {
  const spec::Reason* because = &expectation.because;
  line += '{';
  if (const auto* bag = std::get_if<spec::Bag>(&expectation.what)) {
    write_result(*bag, line, payload);
  } else if (const auto* refusal = std::get_if<spec::RefusalExpected>(&expectation.what)) {
    line += R"("classes":)" + engines::protocol::text_of(refusal->classes);
    if (!refusal->because.empty()) because = &refusal->because;
  } else {
    const auto& free = std::get<spec::Free>(expectation.what);
    line += fmt::format(R"("open":{})", free.undefined);
    if (!free.because.empty()) because = &free.because;
  }
  line += fmt::format(R"(,"may_refuse":{},"because":)", expectation.may_refuse) +
          engines::protocol::text_of(because->text()) + '}';
}

}  // namespace scatterproof::runner::python
