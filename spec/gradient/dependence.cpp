// SPDX-License-Identifier: Apache-2.0
// Where each value is an element as it stands, or a number, its origin says what it depends on. Other
// meanings are probed: a value that is affine in one element, c0 + c * x, shows c0 where all data is 0, c
// where it is 1, and the element where each element has a number of its own.
#include "scatterproof/spec/gradient/dependence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "plain_values.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::spec {
namespace {

/// What an element is replaced with, by its number among all elements.
using Replacement = double (*)(std::int64_t number);

/// The call with other data, in f64: the numbers are exact there, and no meaning depends on which of the
/// dtypes of real numbers its data has.
Call with_data(const Call& call, const std::vector<std::string>& arguments, Replacement replacement) {
  Call probe = call;
  std::int64_t number = 0;
  for (auto& [name, argument] : probe.arguments) {
    if (std::ranges::find(arguments, name) == arguments.end()) continue;
    Tensor data(DType::f64, std::get<Tensor>(argument).shape());
    assign<double>(data, [&] { return replacement(number++); });
    argument = std::move(data);
  }
  return probe;
}

bool have_one_form(const Bag& a, const Bag& b) {
  return a.shape == b.shape && a.combine == b.combine && a.start_counts == b.start_counts &&
         a.offsets == b.offsets && a.start.has_value() == b.start.has_value();
}

/// The executions of one meaning on three kinds of data.
struct Probes {
  Bag zeros, ones, numbers;
};

class Reader {
 public:
  explicit Reader(const std::vector<std::int64_t>& first) : first_(first) {}

  /// Empty: the value is not affine in one element.
  std::optional<Dependence> read(const Scalar& at_zeros, const Scalar& at_ones,
                                 const Scalar& at_numbers) const {
    if (identical(at_zeros, at_ones))  // also where all are NaN
      return identical(at_zeros, at_numbers) ? std::optional(Dependence{}) : std::nullopt;
    const double c0 = at_zeros.real(), c = at_ones.real() - c0, label = at_numbers.real();
    const double number = (label - c0) / c;
    if (!(number >= 0.5 && number < static_cast<double>(first_.back()) + 0.5)) return std::nullopt;
    const auto element = static_cast<std::int64_t>(std::round(number)) - 1;
    if (c0 + c * static_cast<double>(element + 1) != label) return std::nullopt;
    const auto after = std::ranges::upper_bound(first_, element);
    const auto argument = static_cast<std::int32_t>(after - first_.begin() - 1);
    return Dependence{argument, element - first_[static_cast<std::size_t>(argument)], c};
  }

 private:
  const std::vector<std::int64_t>& first_;
};

std::optional<std::vector<Dependence>> read_starts(const Probes& probes, const Reader& reader) {
  std::vector<Dependence> all;
  if (!probes.zeros.start) return all;
  for (std::size_t i = 0; i < probes.zeros.start->size(); ++i) {
    const auto one =
        reader.read((*probes.zeros.start)[i], (*probes.ones.start)[i], (*probes.numbers.start)[i]);
    if (!one) return std::nullopt;
    all.push_back(*one);
  }
  return all;
}

std::optional<std::vector<Dependence>> read_contributions(const Probes& probes, const Reader& reader) {
  std::vector<Dependence> all;
  for (std::size_t i = 0; i < probes.zeros.list.size(); ++i) {
    const auto one =
        reader.read(probes.zeros.list[i].value, probes.ones.list[i].value, probes.numbers.list[i].value);
    if (!one) return std::nullopt;
    all.push_back(*one);
  }
  return all;
}

Error no_gradients(const OpSpec& spec, std::string_view why) {
  return {.file = spec.file,
          .at = spec.meaning.write_at,
          .what = fmt::format("no gradients follow from the meaning of {}: {}", spec.api, why)};
}

Result<Probes> execute_probes(const OpSpec& spec, const Call& call,
                              const std::vector<std::string>& arguments) {
  auto zeros = execute(spec, with_data(call, arguments, [](std::int64_t) { return 0.0; }));
  if (!zeros) return zeros.errors();
  auto ones = execute(spec, with_data(call, arguments, [](std::int64_t) { return 1.0; }));
  if (!ones) return ones.errors();
  auto numbers = execute(
      spec, with_data(call, arguments, [](std::int64_t number) { return static_cast<double>(number + 1); }));
  if (!numbers) return numbers.errors();
  return Probes{std::move(zeros).value(), std::move(ones).value(), std::move(numbers).value()};
}

/// Fills in what each value of the bag depends on; or says why it cannot be told.
std::optional<Error> probe(const OpSpec& spec, const Call& call, Dependences& made) {
  std::vector<std::int64_t> first{0};
  for (const Shape& shape : made.shapes) first.push_back(first.back() + numel(shape));
  const auto probes = execute_probes(spec, call, made.arguments);
  if (!probes) return probes.errors().front();
  for (const Bag* probe : {&probes->zeros, &probes->ones, &probes->numbers})
    if (!have_one_form(made.bag, *probe)) return no_gradients(spec, "where it writes depends on its data");
  const Reader reader(first);
  auto starts = read_starts(*probes, reader);
  auto contributions = read_contributions(*probes, reader);
  if (!starts || !contributions)
    return no_gradients(spec, "a value that it writes is not affine in one element of its data");
  made.starts = *std::move(starts);
  made.contributions = *std::move(contributions);
  return {};
}

}  // namespace

std::vector<std::string> differentiable_arguments(const Call& call) {
  std::vector<std::string> names;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&argument); tensor && is_float(tensor->dtype()))
      names.push_back(name);
  return names;
}

Result<Dependences> dependences_of(const OpSpec& spec, const Call& call) {
  auto bag = execute(spec, call);
  if (!bag) return bag.errors();
  return dependences_of(spec, call, std::move(bag).value());
}

Result<Dependences> dependences_of(const OpSpec& spec, const Call& call, Bag bag) {
  if (!is_float(bag.dtype)) return no_gradients(spec, "the result does not hold real numbers");
  Dependences made{.bag = std::move(bag),
                   .arguments = differentiable_arguments(call),
                   .ties = spec.gradient.ties,
                   .collisions = spec.gradient.collisions};
  for (const std::string& name : made.arguments) {
    const auto& tensor = std::get<Tensor>(*call.find(name));
    made.shapes.push_back(tensor.shape());
    made.dtypes.push_back(tensor.dtype());
  }
  if (has_plain_values(spec, made.arguments)) {
    read_origins(spec, made);
    return made;
  }
  if (auto error = probe(spec, call, made)) return *std::move(error);
  return made;
}

}  // namespace scatterproof::spec
