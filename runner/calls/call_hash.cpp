// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/calls/call_hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "scatterproof/spec/core/elements.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "scatterproof/spec/core/sharing.hpp"
#include "scatterproof/spec/core/stable_hash.hpp"

namespace scatterproof::runner {
namespace {

/// Hashes one value after another, lengths before lists; mixes once, at the end.
class Hash {
 public:
  explicit Hash(std::string_view text) : sum_(spec::stable_hash(text)) {}

  void add(std::uint64_t value) {
    sum_ = (sum_ ^ value) * 0x9E3779B97F4A7C15u;
    sum_ ^= sum_ >> 32;
  }
  void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(const std::string& text) { add(spec::stable_hash(text)); }
  void add(std::span<const std::int64_t> list) {
    add(list.size());
    for (const std::int64_t entry : list) add(entry);
  }
  void add(const spec::Shape& list) { add(std::span<const std::int64_t>(list)); }
  void add(const spec::Scalar& value) {
    add(static_cast<std::uint64_t>(value.kind()));
    if (value.is_integral()) return add(value.integer());
    add(value.real());
    add(value.imag());
  }
  void add(const spec::Tensor& tensor) {
    add(spec::stable_hash(spec::name(tensor.dtype())));
    add(tensor.shape());
    add(tensor.strides());
    add(tensor.offset());
    switch (spec::size_of(tensor.dtype())) {
      case 1:
        return add_elements<1>(tensor);
      case 2:
        return add_elements<2>(tensor);
      case 4:
        return add_elements<4>(tensor);
      case 8:
        return add_elements<8>(tensor);
      default:
        return add_elements<16>(tensor);
    }
  }
  void add(spec::None) {}

  std::uint64_t sum() const { return mix(sum_, 0); }

 private:
  /// As words of eight bytes, the last one filled up with zeros.
  template <std::size_t size>
  void add_elements(const spec::Tensor& tensor) {
    spec::every_run(tensor, [&](const spec::ElementRun& run) {
      const std::byte* element = spec::address_of(tensor, run.position);
      const auto step = run.stride * static_cast<std::int64_t>(size);
      for (std::int64_t left = run.count; left > 0; --left, element += step)
        for (std::size_t done = 0; done < size; done += 8) {
          std::uint64_t word = 0;
          std::memcpy(&word, element + done, std::min<std::size_t>(8, size - done));
          add(word);
        }
      return true;
    });
  }

  std::uint64_t sum_;
};

static_assert(std::endian::native == std::endian::little, "elements are taken in as words of eight bytes");

}  // namespace

std::uint64_t mix(std::uint64_t hash, std::uint64_t more) { return spec::random(hash ^ more, 0); }

std::uint64_t hash_of(const spec::Call& call) {
  Hash hash(call.api);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& [name, value] = call.arguments[i];
    hash.add(name);
    hash.add(static_cast<std::uint64_t>(value.index()));
    std::visit([&](const auto& content) { hash.add(content); }, value);
    if (const auto other = spec::shared_with(call, i)) hash.add(static_cast<std::uint64_t>(*other));
  }
  for (const std::string& name : call.omitted) hash.add(name);
  return hash.sum();
}

std::uint64_t hash_of(const spec::Tensor& tensor) {
  Hash hash(spec::name(tensor.dtype()));
  hash.add(tensor.shape());
  const auto one_nan = [](double value) {
    return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
  };
  for (const spec::Scalar& value : tensor.values()) {
    if (value.is_integral()) {
      hash.add(value.integer());
    } else {
      hash.add(one_nan(value.real()));
      hash.add(one_nan(value.imag()));
    }
  }
  return hash.sum();
}

}  // namespace scatterproof::runner
