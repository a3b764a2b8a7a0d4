// SPDX-License-Identifier: Apache-2.0
#include "strict_json.hpp"

#include <fmt/format.h>

#include <vector>

namespace scatterproof::engines::protocol {
namespace {

/// Builds the value that is read. A callback to Json::parse could also refuse a key, but takes half as long
/// again for a reply.
class Reader final : public nlohmann::json_sax<Json> {
 public:
  Json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

  bool key(string_t& key) override {
    auto& members = open_.back()->get_ref<Json::object_t&>();
    if (members.find(key) != members.end())
      throw Wrong{fmt::format("the reply has the key '{:.32}' twice", key)};
    next_ = &members.emplace(key, nullptr).first->second;
    return true;
  }

 private:
  /// Where the next value goes: to the key before it, to the end of the open array, or to the root.
  Json& place() {
    if (open_.empty()) return root_;
    if (open_.back()->is_object()) return *next_;
    return open_.back()->get_ref<Json::array_t&>().emplace_back();
  }
  template <class Value>
  bool put(Value value) {
    place() = std::move(value);
    return true;
  }
  bool open(Json container) {
    Json& at = place();
    at = std::move(container);
    open_.push_back(&at);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;  // containers; none of them moves while one within it is open
  Json* next_ = nullptr;
};

}  // namespace

Json parse_strictly(std::string_view text) {
  Reader reader;
  if (!Json::sax_parse(text, &reader)) throw Wrong{"the reply is not JSON"};
  return reader.take();
}

}  // namespace scatterproof::engines::protocol
