// SPDX-License-Identifier: Apache-2.0
// Errors in the user's files and flags, and the type that holds a value or such errors (lane 2 of
// docs/understand/architecture.md).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace scatterproof::spec {

/// A place in a text, both 1-based; {0, 0} when the place is not known. Columns count bytes.
struct Position {
  int line = 0;
  int column = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

/// One error in something the user wrote.
struct Error {
  std::string file = {};         ///< as the user named it; empty for a flag
  Position at = {};              ///< where in `file`
  std::string what = {};         ///< one sentence, lower case, no full stop
  std::string hint = {};         ///< how to fix it ("did you mean 'dim'?"); may be empty
  std::string source_line = {};  ///< the line's text, for the caret; may be empty
};

using Errors = std::vector<Error>;

/// `file:line:col: error: what`, then the source line with a caret, then `hint: ...`. Ends with a newline.
std::string to_string(const Error& error);
std::string to_string(const Errors& errors);

/// The candidate nearest to `word` by edit distance, if any is near enough that `word` is probably a typo of
/// it.
std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& candidates);

/// `did you mean 'name'?`
std::string did_you_mean(const std::string& name);
/// The same with the candidate nearest to `word`; `otherwise` if none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         const std::string& otherwise = {});

/// A value, or all the errors that prevented it. Never both, never an empty error list.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}              // NOLINT: implicit on purpose
  Result(Errors errors) : state_(std::move(errors)) {}       // NOLINT
  Result(Error error) : state_(Errors{std::move(error)}) {}  // NOLINT

  explicit operator bool() const { return std::holds_alternative<T>(state_); }
  const T& value() const& { return std::get<T>(state_); }
  T& value() & { return std::get<T>(state_); }
  T&& value() && { return std::get<T>(std::move(state_)); }
  const T& operator*() const { return value(); }
  const T* operator->() const { return &value(); }
  const Errors& errors() const { return std::get<Errors>(state_); }

 private:
  std::variant<T, Errors> state_;
};

}  // namespace scatterproof::spec
