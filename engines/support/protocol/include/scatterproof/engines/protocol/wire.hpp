// SPDX-License-Identifier: Apache-2.0
// How tensors and arguments look on the wire, and how untrusted JSON is read: for both ends of the worker
// protocol.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::engines::protocol {

using Json = nlohmann::ordered_json;

inline constexpr std::int64_t protocol_version = 1;
inline constexpr std::int64_t largest_payload = std::int64_t{1} << 30;

/// Bytes on their way out, in order. Large storages are shared, not copied: they must not change until they
/// are sent.
class Parcel {
 public:
  void append(std::string bytes);
  void append(const std::shared_ptr<const spec::Tensor::Storage>& storage);
  void append(Parcel&& other);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// The bytes that go next; empty when none are left.
  std::string_view front() const;
  /// Marks this many bytes as sent. Precondition: count <= front().size().
  void drop(std::size_t count);

 private:
  struct Chunk {
    std::string own;
    std::shared_ptr<const spec::Tensor::Storage> shared;  ///< null: `own`
    std::string_view bytes() const;
  };
  std::deque<Chunk> chunks_;
  std::size_t sent_ = 0;  // of the first chunk
  std::size_t size_ = 0;
};

/// JSON on one line; invalid UTF-8 is replaced.
std::string text_of(const Json& json);
/// Appends a word in quotes. What needs no escapes, as names do, is copied.
void write_word(std::string& line, std::string_view word);
/// Storages that tensors may share, and where they start in a payload.
using StorageStarts = std::vector<std::pair<const spec::Tensor::Storage*, std::size_t>>;
/// Appends a tensor's description to a line, and its storage to the payload, unless `starts` says that it is
/// there already. Null: every tensor gets bytes of its own. Tensors are most of a message, so they and their
/// members are written as text directly: a JSON tree costs several times that.
void write(std::string& line, const spec::Tensor& tensor, Parcel& payload, StorageStarts* starts = nullptr);
void write(std::string& line, const spec::Argument& argument, Parcel& payload, StorageStarts* starts);
/// A message or reply: the line, which names the payload's `bytes`, and the payload.
Parcel framed(std::string line, Parcel payload = {});
/// Bytes of tensors that go with a call.
std::size_t payload_size(const spec::Call& call);

/// The one error for everything that can be wrong with what the other end wrote: thrown by everything below,
/// and caught before it leaves the protocol's code.
struct Wrong {
  std::string what;
};

/// The members of an object, each read once; a member that is never read is a fault.
class Members {
 public:
  Members(const Json& object, std::string_view where);

  const Json* find(const char* name);
  const Json& get(const char* name);
  std::int64_t integer(const char* name) { return to_integer(get(name), name); }
  std::string text(const char* name) { return to_text(get(name), name); }
  bool boolean(const char* name) { return to_boolean(get(name), name); }
  /// Empty, or false, where there is no such member.
  std::string text_if_any(const char* name);
  std::vector<std::string> texts_if_any(const char* name);
  bool flag(const char* name);
  const Json& list(const char* name, std::size_t most);
  std::vector<std::string> texts(const char* name);
  spec::Shape integers(const char* name, std::size_t most);

  std::int64_t to_integer(const Json& value, std::string_view name) const;
  std::string to_text(const Json& value, std::string_view name) const;
  bool to_boolean(const Json& value, std::string_view name) const;

  void nothing_else() const;

 private:
  const Json& object_;
  std::string where_;
  std::size_t known_ = 0;
};

/// The bytes that came behind a line.
using Payload = std::shared_ptr<spec::Tensor::Storage>;
Payload make_payload(std::size_t size);

/// The storages that were made of parts of a payload, by start and length.
using Parts = std::map<std::pair<std::int64_t, std::int64_t>, Payload>;

/// A tensor with a storage of `parts` if its part of the payload is there. Otherwise it gets its own: the
/// payload if the tensor is all of it, or else a copy of its part, which is then added to `parts`.
spec::Tensor decode_tensor(const Json& json, const Payload& payload, Parts& parts);
spec::Argument decode_argument(const Json& json, const Payload& payload, Parts& parts);

}  // namespace scatterproof::engines::protocol
