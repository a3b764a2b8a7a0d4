// SPDX-License-Identifier: Apache-2.0
// From a documented API's arguments to a kernel's, by the spec's kernel entry (docs/formats/spec-language.md
// §1.8).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "lowering.hpp"
#include "walk_checks.hpp"

namespace scatterproof::engines {
namespace {

using spec::Argument;
using spec::Outcome;
using spec::Scalar;
using spec::Tensor;

/// Thrown for a field that has no meaning for the kernels; becomes a Refused{value}.
struct Senseless {
  std::string why;
};

/// Thrown where the spec says that no kernel does what an argument asks for; becomes Unsupported.
struct NoKernel {
  std::string why;
};

template <class Table>
auto find_word(const Table& table, std::string_view word)
    -> std::optional<typename Table::value_type::second_type> {
  for (const auto& [name, value] : table)
    if (name == word) return value;
  return {};
}

std::int64_t to_integer(std::string_view field, const Argument& argument) {
  if (const auto* number = std::get_if<Scalar>(&argument); number && number->is_integral())
    return number->integer();
  if (const auto* word = std::get_if<std::string>(&argument)) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word->data(), word->data() + word->size(), value);
    if (error == std::errc() && end == word->data() + word->size()) return value;
  }
  throw Senseless{fmt::format("{} must be an integer, not {}", field, spec::to_string(argument))};
}

bool to_boolean(std::string_view field, const Argument& argument) {
  if (const auto* number = std::get_if<Scalar>(&argument); number && number->is_integral())
    return number->integer() != 0;
  const std::string word = spec::to_string(argument);
  if (word == "true" || word == "false") return word == "true";
  throw Senseless{fmt::format("{} must be true or false, not {}", field, word)};
}

Scalar to_scalar(std::string_view field, const Argument& argument) {
  if (const auto* number = std::get_if<Scalar>(&argument)) return *number;
  const std::string word = spec::to_string(argument);
  if (word.find_first_of(".einEIN") == std::string::npos) return Scalar::of_int(to_integer(field, argument));
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (end == word.c_str() + word.size()) return Scalar::of_real(value);
  throw Senseless{fmt::format("{} must be a number, not {}", field, word)};
}

const Tensor& to_tensor(std::string_view field, const Argument& argument) {
  if (const auto* tensor = std::get_if<Tensor>(&argument)) return *tensor;
  throw Senseless{fmt::format("{} must be a tensor, not {}", field, spec::to_string(argument))};
}

spec::Combiner to_combiner(const Argument& argument) {
  const std::string word = spec::to_string(argument);
  if (const auto combiner = spec::parse_combiner(word)) return *combiner;
  throw Senseless{fmt::format("no kernel combines by {}", word)};
}

spec::IntegerMean to_integer_mean(const Argument& argument) {
  const std::string word = spec::to_string(argument);
  if (word == "floor") return spec::IntegerMean::floor;
  if (word == "truncate") return spec::IntegerMean::truncate;
  throw Senseless{fmt::format("no kernel rounds integer means by {}", word)};
}

/// `[i32, i64]`, with or without the brackets.
std::vector<spec::DType> to_dtypes(const Argument& argument) {
  std::vector<spec::DType> dtypes;
  const std::string list = spec::to_string(argument);
  std::size_t begin = list.find_first_not_of("[], ");
  while (begin != std::string::npos) {
    const std::size_t end = std::min(list.find_first_of("[], ", begin), list.size());
    const std::string word = list.substr(begin, end - begin);
    const auto dtype = spec::parse_dtype(word);
    if (!dtype) throw Senseless{fmt::format("invalid dtype '{}'", word)};
    dtypes.push_back(*dtype);
    begin = list.find_first_not_of("[], ", end);
  }
  return dtypes;
}

void set_updates(KernelCall& kernel, const Argument& argument) {
  if (const auto* tensor = std::get_if<Tensor>(&argument))
    kernel.updates = *tensor;
  else
    kernel.updates = to_scalar("updates", argument);
}

/// What multiplies the updates.
void require_one(std::string_view field, const Argument& argument) {
  const Scalar factor = to_scalar(field, argument);
  if (factor.real() != 1 || factor.imag() != 0)
    throw NoKernel{"no kernel multiplies the updates by a factor"};
}

template <bool KernelCall::*flag>
void set_flag(KernelCall& kernel, std::string_view field, const Argument& argument) {
  kernel.*flag = to_boolean(field, argument);
}

using Setter = void (*)(KernelCall& kernel, std::string_view field, const Argument& argument);
constexpr std::array<std::pair<std::string_view, Setter>, 20> setters = {{
    {"data", [](KernelCall& k, std::string_view f, const Argument& a) { k.data = to_tensor(f, a); }},
    {"index", [](KernelCall& k, std::string_view f, const Argument& a) { k.index = to_tensor(f, a); }},
    {"updates", [](KernelCall& k, std::string_view, const Argument& a) { set_updates(k, a); }},
    {"axis", [](KernelCall& k, std::string_view f, const Argument& a) { k.axis = to_integer(f, a); }},
    {"batch_dims",
     [](KernelCall& k, std::string_view f, const Argument& a) { k.batch_dims = to_integer(f, a); }},
    {"combine", [](KernelCall& k, std::string_view, const Argument& a) { k.combine = to_combiner(a); }},
    {"fill", [](KernelCall& k, std::string_view f, const Argument& a) { k.fill = to_scalar(f, a); }},
    {"output_size",
     [](KernelCall& k, std::string_view f, const Argument& a) {
       if (!std::holds_alternative<spec::None>(a)) k.output_size = to_integer(f, a);
     }},
    {"integer_mean",
     [](KernelCall& k, std::string_view, const Argument& a) { k.integer_mean = to_integer_mean(a); }},
    {"factor", [](KernelCall&, std::string_view f, const Argument& a) { require_one(f, a); }},
    {"index_dtypes",
     [](KernelCall& k, std::string_view, const Argument& a) { k.index_dtypes = to_dtypes(a); }},
    {"include_start", set_flag<&KernelCall::include_start>},
    {"start_from_data", set_flag<&KernelCall::start_from_data>},
    {"wrap_negative", set_flag<&KernelCall::wrap_negative>},
    {"index_equals_updates", set_flag<&KernelCall::index_equals_updates>},
    {"index_equals_data", set_flag<&KernelCall::index_equals_data>},
    {"broadcast", set_flag<&KernelCall::broadcast>},
    {"surplus_updates", set_flag<&KernelCall::surplus_updates>},
    {"needs_dimensions", set_flag<&KernelCall::needs_dimensions>},
    {"empty_index_unchecked", set_flag<&KernelCall::empty_index_unchecked>},
}};

}  // namespace

Lowering::Lowering(const spec::OpSpec& spec) {
  const spec::KernelLowering& lowering = spec.kernel;
  has_index_ = lowering.find("index") != nullptr;
  has_data_ = lowering.find("data") != nullptr;
  const auto op = parse_kernel_op(lowering.op);
  if (lowering.op.empty()) why_not_ = "the spec names no kernel";
  if (!lowering.op.empty() && !op) why_not_ = fmt::format("unknown kernel '{}'", lowering.op);
  if (!op) return;
  constant_.op = *op;
  for (const auto& [field, value] : lowering.fields) {
    if (field == "in_range_only")
      in_range_only_ = value.literal == "true";
    else
      add(field, value);
  }
}

void Lowering::add(const std::string& field, const spec::LoweredValue& value) {
  Step step{field, find_word(setters, field).value_or(nullptr), value.argument, value.literal, {}};
  for (const auto& [from, to] : value.table) step.table.emplace_back(from, to);
  if (value.argument.empty()) {
    try {
      return apply(step, step.literal, constant_);
    } catch (const Senseless&) {
      // Not an error of every call: in some, an earlier field fails first, and that is what they report. So
      // this step is kept like one of an argument, and fails again in each call that reaches it.
    } catch (const NoKernel&) {
      // Likewise.
    }
  }
  steps_.push_back(std::move(step));
}

void Lowering::apply(const Step& step, const Argument& argument, KernelCall& kernel) {
  if (!step.set) throw Senseless{fmt::format("unknown kernel field '{}'", step.field)};
  step.set(kernel, step.field, argument);
}

/// The field's value for this call: an argument as it is, or a word (a literal, or a table's right side,
/// where `none` means that there is no kernel).
const Argument& Lowering::resolve(const Step& step, const spec::Call& call) {
  static const Argument none = spec::None{};
  if (step.argument.empty()) return step.literal;
  const Argument* argument = call.find(step.argument);
  if (!argument) return none;
  if (step.table.empty()) return *argument;
  const std::string word = spec::to_string(*argument);
  for (const auto& [from, to] : step.table) {
    if (from != word) continue;
    if (spec::to_string(to) != "none") return to;
    throw NoKernel{fmt::format("no kernel does what {} = {} asks for", step.argument, word)};
  }
  throw Senseless{fmt::format("{} = {} has no kernel", step.argument, word)};
}

/// Refuses an entry that lacks what its kernel needs. A result that does not start from data takes its dtype
/// and its off-axis sizes from the updates.
void Lowering::complete(KernelCall& kernel) const {
  if (!has_index_) throw Senseless{"the kernel entry gives no index"};
  if (is_scatter(kernel.op) && !kernel.updates) throw Senseless{"the kernel entry gives no updates"};
  if (has_data_) return;
  const bool from_updates =
      kernel.updates && !kernel.start_from_data && std::holds_alternative<Tensor>(*kernel.updates);
  if (!from_updates) throw Senseless{"the kernel entry gives no data"};
  kernel.data = std::get<Tensor>(*kernel.updates);
}

/// Leaves out a call with an index that the API drops, clips or fills, where kernels refuse. Any other error
/// of the call is for the kernel to report.
void Lowering::check_range(const KernelCall& kernel) const {
  const auto rank = static_cast<std::int64_t>(kernel.data.rank());
  const std::int64_t axis = kernel.axis < 0 ? kernel.axis + rank : kernel.axis;
  if (!in_range_only_ || axis < 0 || axis >= rank || !is_integer(kernel.index.dtype())) return;
  const std::int64_t size = kernel.data.shape()[static_cast<std::size_t>(axis)];
  if (walking::first_out_of_range(kernel.index, kernel.wrap_negative,
                                  [&](const spec::Coords&) { return size; }))
    throw NoKernel{"no kernel drops, clips or fills what an index out of range names"};
}

std::variant<KernelCall, Outcome> Lowering::operator()(const spec::Call& call) const {
  if (!why_not_.empty()) return Outcome{spec::Unsupported{why_not_}, 0};
  try {
    KernelCall kernel = constant_;
    for (const Step& step : steps_) apply(step, resolve(step, call), kernel);
    complete(kernel);
    check_range(kernel);
    return kernel;
  } catch (const Senseless& senseless) {
    return Outcome{spec::Refused{{"value"}, senseless.why}, 0};
  } catch (const NoKernel& none) {
    return Outcome{spec::Unsupported{none.why}, 0};
  }
}

std::variant<KernelCall, Outcome> lower(const spec::OpSpec& spec, const spec::Call& call) {
  return Lowering(spec)(call);
}

}  // namespace scatterproof::engines
