// SPDX-License-Identifier: Apache-2.0
#include "call_hash.hpp"

#include <bit>
#include <cmath>
#include <string>

#include "select.hpp"

namespace scatterproof::runner::shrink {
namespace {

/// Whatever is added, as bytes from which it could be read back: lowest byte first, lengths before lists.
class Bytes {
 public:
  void add(std::uint64_t value) {
    for (int byte = 0; byte < 8; ++byte) text_ += static_cast<char>(value >> 8 * byte & 0xff);
  }
  void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
  void add(double value) { add(std::isnan(value) ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(value)); }
  void add(std::string_view text) {
    add(text.size());
    text_ += text;
  }
  void add(const spec::Shape& list) {
    add(list.size());
    for (const std::int64_t entry : list) add(entry);
  }
  void add(const spec::Scalar& value) {
    add(static_cast<std::uint64_t>(value.kind()));
    if (value.is_integral()) return add(value.integer());
    add(value.real());
    add(value.imag());
  }
  void add(const spec::Tensor& tensor) {
    add(spec::name(tensor.dtype()));
    add(tensor.shape());
    add(tensor.strides());
    add(tensor.offset());
    for (const spec::Scalar& value : tensor.values()) add(value);
  }
  void add(spec::None) {}

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::uint64_t hash_of(const spec::Call& call) {
  Bytes bytes;
  bytes.add(call.api);
  for (const auto& [name, value] : call.arguments) {
    bytes.add(name);
    bytes.add(static_cast<std::uint64_t>(value.index()));
    std::visit([&](const auto& content) { bytes.add(content); }, value);
  }
  return stable_hash(bytes.text());
}

}  // namespace scatterproof::runner::shrink
