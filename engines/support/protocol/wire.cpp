// SPDX-License-Identifier: Apache-2.0
// Tensors and arguments to JSON and bytes, and back with every member checked.
#include "scatterproof/engines/protocol/wire.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>
#include <variant>

namespace scatterproof::engines::protocol {
namespace {

constexpr std::size_t alignment = 16;            // where a tensor's storage may start within the payload
constexpr std::size_t worth_sharing = 1u << 20;  // smaller storages travel with their neighbours
constexpr std::size_t longest_text = 64u << 10;  // of an error message or reason; longer ones are cut
constexpr std::size_t most_names = 4096;

std::size_t aligned(std::size_t size) { return (size + alignment - 1) / alignment * alignment; }

/// A double without loss (but for the payload of a NaN): as C prints it in hexadecimal, or nan, -nan, inf,
/// -inf.
std::string exact(double value) {
  if (std::isnan(value)) return std::signbit(value) ? "-nan" : "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%a", value);
  return text.data();
}

double read_exact(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') throw Wrong{fmt::format("'{}' is not a number", text)};
  return value;
}

void write(std::string& line, const spec::Scalar& value) {
  const auto out = std::back_inserter(line);
  switch (value.kind()) {
    case spec::Scalar::Kind::boolean:
      fmt::format_to(out, R"({{"boolean":{}}})", value.integer() != 0);
      return;
    case spec::Scalar::Kind::integer:
      fmt::format_to(out, R"({{"integer":{}}})", value.integer());
      return;
    case spec::Scalar::Kind::real:
      fmt::format_to(out, R"({{"number":{{"real":"{}"}}}})", exact(value.real()));
      return;
    case spec::Scalar::Kind::complex:
      fmt::format_to(out, R"({{"number":{{"real":"{}","imag":"{}"}}}})", exact(value.real()),
                     exact(value.imag()));
      return;
  }
}

struct WriteArgument {
  std::string& line;
  Parcel& payload;
  StorageStarts* starts;
  void operator()(const spec::None&) const { line += "null"; }
  void operator()(const spec::Tensor& tensor) const {
    line += R"({"tensor":)";
    write(line, tensor, payload, starts);
    line += '}';
  }
  void operator()(const spec::Scalar& value) const { write(line, value); }
  void operator()(const std::string& word) const {
    line += R"({"word":)";
    write_word(line, word);
    line += '}';
  }
  void operator()(const spec::Shape& integers) const {
    fmt::format_to(std::back_inserter(line), R"({{"integers":[{}]}})", fmt::join(integers, ","));
  }
};

spec::Scalar decode_number(const Json& json) {
  Members members(json, "a number");
  const double real = read_exact(members.text("real"));
  const Json* imaginary = members.find("imag");
  members.nothing_else();
  return imaginary == nullptr
             ? spec::Scalar::of_real(real)
             : spec::Scalar::of_complex(real, read_exact(members.to_text(*imaginary, "imag")));
}

}  // namespace

std::string_view Parcel::Chunk::bytes() const {
  if (!shared) return own;
  return {reinterpret_cast<const char*>(shared->data()), shared->size()};
}

void Parcel::append(std::string bytes) {
  size_ += bytes.size();
  if (!chunks_.empty() && !chunks_.back().shared)
    chunks_.back().own += bytes;
  else if (!bytes.empty())
    chunks_.push_back({std::move(bytes), nullptr});
}

void Parcel::append(const std::shared_ptr<const spec::Tensor::Storage>& storage) {
  const Chunk chunk{{}, storage};
  if (storage->size() < worth_sharing) {
    append(std::string(chunk.bytes()));
    return;
  }
  size_ += storage->size();
  chunks_.push_back(chunk);
}

void Parcel::append(Parcel&& other) {
  for (Chunk& chunk : other.chunks_) {
    if (chunk.shared)
      append(chunk.shared);
    else
      append(std::move(chunk.own));
  }
  other = Parcel();
}

std::string_view Parcel::front() const {
  return chunks_.empty() ? std::string_view() : chunks_.front().bytes().substr(sent_);
}

void Parcel::drop(std::size_t count) {
  sent_ += count;
  size_ -= count;
  if (chunks_.empty() || sent_ < chunks_.front().bytes().size()) return;
  chunks_.pop_front();
  sent_ = 0;
}

void write_word(std::string& line, std::string_view word) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (!std::ranges::all_of(word, is_plain)) {
    line += text_of(word);
    return;
  }
  line += '"';
  line += word;
  line += '"';
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

namespace {

/// Where the storage starts in the payload, to which it is appended unless it is there already.
std::size_t place(const spec::Tensor& tensor, Parcel& payload, StorageStarts* starts) {
  const spec::Tensor::Storage* const storage = &tensor.storage();
  if (starts != nullptr)
    if (const auto found = std::ranges::find(*starts, storage, &StorageStarts::value_type::first);
        found != starts->end())
      return found->second;
  payload.append(std::string(aligned(payload.size()) - payload.size(), '\0'));
  const std::size_t start = payload.size();
  if (starts != nullptr) starts->emplace_back(storage, start);
  payload.append(tensor.shared_storage());
  return start;
}

}  // namespace

void write(std::string& line, const spec::Tensor& tensor, Parcel& payload, StorageStarts* starts) {
  const std::size_t start = place(tensor, payload, starts);
  fmt::format_to(std::back_inserter(line),
                 R"({{"dtype":"{}","shape":[{}],"strides":[{}],"offset":{},"start":{},"length":{}}})",
                 spec::name(tensor.dtype()), fmt::join(tensor.shape(), ","), fmt::join(tensor.strides(), ","),
                 tensor.offset(), start, tensor.storage().size());
}

void write(std::string& line, const spec::Argument& argument, Parcel& payload, StorageStarts* starts) {
  std::visit(WriteArgument{line, payload, starts}, argument);
}

Parcel framed(std::string line, Parcel payload) {
  line += '\n';
  Parcel parcel;
  parcel.append(std::move(line));
  parcel.append(std::move(payload));
  return parcel;
}

std::size_t payload_size(const spec::Call& call) {
  std::size_t size = 0;
  for (const auto& [name, value] : call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&value)) size += aligned(tensor->storage().size());
  return size;
}

Members::Members(const Json& object, std::string_view where) : object_(object), where_(where) {
  if (!object.is_object()) throw Wrong{fmt::format("{} is not an object", where)};
}

const Json* Members::find(const char* name) {
  const auto found = object_.find(name);
  if (found == object_.end()) return nullptr;
  ++known_;
  return &*found;
}

const Json& Members::get(const char* name) {
  if (const Json* member = find(name)) return *member;
  throw Wrong{fmt::format("{} has no '{}'", where_, name)};
}

bool Members::to_boolean(const Json& value, std::string_view name) const {
  if (!value.is_boolean()) throw Wrong{fmt::format("'{}' of {} must be true or false", name, where_)};
  return value.get<bool>();
}

std::string Members::text_if_any(const char* name) {
  const Json* value = find(name);
  return value == nullptr ? "" : to_text(*value, name);
}

std::vector<std::string> Members::texts_if_any(const char* name) {
  return object_.contains(name) ? texts(name) : std::vector<std::string>();
}

bool Members::flag(const char* name) {
  const Json* value = find(name);
  return value != nullptr && to_boolean(*value, name);
}

const Json& Members::list(const char* name, std::size_t most) {
  const Json& value = get(name);
  if (!value.is_array()) throw Wrong{fmt::format("'{}' of {} is not a list", name, where_)};
  if (value.size() > most) throw Wrong{fmt::format("'{}' of {} has {} items", name, where_, value.size())};
  return value;
}

std::vector<std::string> Members::texts(const char* name) {
  std::vector<std::string> result;
  for (const auto& item : list(name, most_names)) result.push_back(to_text(item, name));
  return result;
}

spec::Shape Members::integers(const char* name, std::size_t most) {
  spec::Shape result;
  for (const auto& item : list(name, most)) result.push_back(to_integer(item, name));
  return result;
}

std::int64_t Members::to_integer(const Json& value, std::string_view name) const {
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max()
                        : value.is_number_integer();
  if (!fits) throw Wrong{fmt::format("'{}' of {} is not a 64-bit integer", name, where_)};
  return value.get<std::int64_t>();
}

std::string Members::to_text(const Json& value, std::string_view name) const {
  if (!value.is_string()) throw Wrong{fmt::format("'{}' of {} is not a string", name, where_)};
  std::string text = value.get<std::string>();
  if (text.size() > longest_text) text.resize(longest_text);
  return text;
}

void Members::nothing_else() const {
  if (known_ != object_.size()) throw Wrong{fmt::format("{} has unknown members", where_)};
}

// A tensor of bytes, because tensors allocate large tables the right way.
Payload make_payload(std::size_t size) {
  return spec::Tensor(spec::DType::u8, {static_cast<std::int64_t>(size)}).shared_storage();
}

namespace {

/// Precondition: the part lies within the payload.
Payload part_of(const Payload& payload, std::int64_t start, std::int64_t length, Parts& parts) {
  Payload& storage = parts[{start, length}];
  if (storage) return storage;
  storage = payload;
  if (length < static_cast<std::int64_t>(payload->size())) {
    storage = make_payload(static_cast<std::size_t>(length));
    std::copy_n(payload->begin() + start, length, storage->begin());
  }
  return storage;
}

}  // namespace

spec::Tensor decode_tensor(const Json& json, const Payload& payload, Parts& parts) {
  Members members(json, "a tensor");
  const std::string dtype_name = members.text("dtype");
  const auto dtype = spec::parse_dtype(dtype_name);
  auto shape = members.integers("shape", spec::max_rank);
  auto strides = members.integers("strides", spec::max_rank);
  const auto offset = members.integer("offset");
  const auto start = members.integer("start");
  const auto length = members.integer("length");
  members.nothing_else();
  if (!dtype) throw Wrong{fmt::format("a tensor has the unknown dtype '{}'", dtype_name)};
  const auto elements = spec::checked_numel(shape);
  if (!elements || *elements > spec::max_numel)
    throw Wrong{fmt::format("a tensor has the invalid shape {}", spec::to_string(shape))};
  const auto size = static_cast<std::int64_t>(payload->size());
  if (start < 0 || length < 0 || start > size || length > size - start)
    throw Wrong{fmt::format("a tensor's storage ({} bytes from {}) lies outside the payload of {} bytes",
                            length, start, size)};
  auto tensor = spec::Tensor::view(*dtype, shape, strides, offset, part_of(payload, start, length, parts));
  if (!tensor)
    throw Wrong{fmt::format("a tensor of shape {}, strides {} and offset {} does not fit its {} bytes",
                            spec::to_string(shape), spec::to_string(strides), offset, length)};
  return *std::move(tensor);
}

spec::Argument decode_argument(const Json& json, const Payload& payload, Parts& parts) {
  if (json.is_null()) return spec::None{};
  if (!json.is_object() || json.size() != 1) throw Wrong{"an argument must have exactly one member"};
  Members members(json, "an argument");
  const std::string& kind = json.begin().key();
  if (kind == "tensor") return decode_tensor(members.get("tensor"), payload, parts);
  if (kind == "integer") return spec::Scalar::of_int(members.integer("integer"));
  if (kind == "boolean") return spec::Scalar::of_bool(members.boolean("boolean"));
  if (kind == "number") return decode_number(members.get("number"));
  if (kind == "word" && json.begin()->is_string()) return json.begin()->get<std::string>();
  if (kind == "integers") return members.integers("integers", most_names);
  throw Wrong{fmt::format("unknown argument kind '{}'", kind)};
}

}  // namespace scatterproof::engines::protocol
