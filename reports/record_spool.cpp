// SPDX-License-Identifier: Apache-2.0
#include "record_spool.hpp"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace scatterproof::reports {
namespace {

/// Gives all fields to `take`, in this order. A field more or less is an error of the compiler.
template <class Record, class Take>
void with_fields(Record& record, const Take& take) {
  auto& [id, api, operation, engine, version, device, verdict, mode, disposition, diagnosis, outcome, broken,
         practice, recast, explanation, causes, message, reproduce, known_reason, known_file, known_line,
         retried, bound, sensitivity, file, line, snippet, elements, count, number, call_globs, passed, seed,
         call_seconds, judge_seconds] = record;
  take(id, api, operation, engine, version, device, verdict, mode, disposition, diagnosis, outcome, broken,
       practice, recast, explanation, causes, message, reproduce, known_reason, known_file, known_line,
       retried, bound, sensitivity, file, line, snippet, elements, count, number, call_globs, passed, seed,
       call_seconds, judge_seconds);
}

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
 public:
  template <class... Values>
  void put_all(const Values&... values) {
    (put(values), ...);
  }
  std::string bytes;

 private:
  template <Plain T>
  void put(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put(text.size());
    bytes += text;
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) put(value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  void put(const spec::Diagnosis& one) { put_all(one.kind, one.subject, one.numbers); }
  void put(const spec::CallGlob& one) { put_all(one.glob, one.passed); }
  void put(const spec::OutcomeSummary& one) {
    put_all(one.kind, one.classes, one.wrote, one.dtype, one.shape, one.digest, one.values);
  }
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  template <class... Values>
  void get_all(Values&... values) {
    (get(values), ...);
  }

 private:
  std::string_view next(std::size_t size) {
    const std::string_view bytes = left_.substr(0, size);
    left_.remove_prefix(size);
    return bytes;
  }
  std::size_t size() {
    std::size_t n = 0;
    get(n);
    return n;
  }
  template <Plain T>
  void get(T& value) {
    std::memcpy(&value, next(sizeof value).data(), sizeof value);
  }
  void get(std::string& text) { text = next(size()); }
  template <class T>
  void get(std::vector<T>& values) {
    values.resize(size());
    for (T& value : values) get(value);
  }
  template <class T>
  void get(std::optional<T>& value) {
    bool there = false;
    get(there);
    if (there) get(value.emplace());
  }
  void get(spec::Diagnosis& one) { get_all(one.kind, one.subject, one.numbers); }
  void get(spec::CallGlob& one) { get_all(one.glob, one.passed); }
  void get(spec::OutcomeSummary& one) {
    get_all(one.kind, one.classes, one.wrote, one.dtype, one.shape, one.digest, one.values);
  }

  std::string_view left_;
};

}  // namespace

std::uint64_t RecordSpool::add(const spec::Record& record) {
  Writer out;
  with_fields(record, [&](const auto&... fields) { out.put_all(fields...); });
  const std::size_t size = out.bytes.size();
  const std::uint64_t place = bytes_.append({reinterpret_cast<const char*>(&size), sizeof size});
  bytes_.append(out.bytes);
  return place;
}

spec::Record RecordSpool::read(std::uint64_t place) const {
  std::size_t size = 0;
  bytes_.read(place, reinterpret_cast<char*>(&size), sizeof size);
  const std::string bytes = bytes_.read(place + sizeof size, size);
  Reader in(bytes);
  spec::Record record;
  with_fields(record, [&](auto&... fields) { in.get_all(fields...); });
  return record;
}

}  // namespace scatterproof::reports
