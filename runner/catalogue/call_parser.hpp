// SPDX-License-Identifier: Apache-2.0
// The grammar of calls as text: arguments as words, lists and tensors, before any spec is asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scatterproof::runner::notation {

struct WrittenValue {
  enum class Kind { word, list, tensor } kind = Kind::word;
  std::string text = {};                  ///< of a word: a number, a choice, none
  std::vector<WrittenValue> items = {};   ///< of a list
  bool parenthesized = false;             ///< of a list: a tuple, as Python writes it
  std::string dtype = {};                 ///< of a tensor
  std::vector<WrittenValue> values = {};  ///< of a tensor: one, a word or a list
  std::vector<std::string> shape = {};    ///< of a tensor, where it is written
};

/// An argument.
struct Named {
  std::size_t at;    ///< in the text
  std::string name;  ///< empty: by place
  WrittenValue value;
};

/// What is thrown where the text is not a call, with the place in it.
struct NotACall {
  std::size_t at;
  std::string what;
  std::string hint = {};
};

/// A number without or with a sign; `nan` and `inf` are numbers.
bool is_number(const std::string& word);
/// `1+2j`.
bool is_complex(const std::string& word);
/// In the words of either notation.
bool is_truth(const std::string& word);

/// What a framework makes of values without a dtype. `maker`: `np.array`, `torch.tensor`; may be empty.
std::string usual_dtype(const WrittenValue& values, std::string_view maker);

/// Reads from left to right. Every function throws NotACall.
class Parser {
 public:
  /// The text must outlive it.
  explicit Parser(const std::string& text) : text_(text) {}

  std::string name();
  /// With their parentheses.
  std::vector<Named> arguments();
  /// `(input: transposed, dim: left out)`: by argument, in the printed order. Empty: there is none.
  std::vector<std::pair<std::string, std::string>> notes();
  void end();

 private:
  [[noreturn]] void fail(std::string what, std::string hint = {}) const;
  void skip();
  bool take(char c);
  void expect(char c);
  Named argument();
  WrittenValue key();
  WrittenValue value();
  WrittenValue list(char end);
  WrittenValue quoted();
  std::string number();
  WrittenValue printed(const std::string& dtype);
  WrittenValue constructed(const std::string& maker);
  WrittenValue filled(const std::string& maker);
  std::vector<std::int64_t> sizes_of(const WrittenValue& value) const;

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace scatterproof::runner::notation
