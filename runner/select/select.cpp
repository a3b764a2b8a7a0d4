// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/select/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace scatterproof::runner {

bool matches_glob(std::string_view pattern, std::string_view text) {
  // Greedy with one backtracking point: only the last `*` ever needs to be reconsidered.
  std::size_t p = 0, t = 0;
  std::optional<std::size_t> star;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star) {
      p = *star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

struct Filter::Node {
  enum class Kind { word, negation, both, either } kind = Kind::word;
  std::string word = {};
  std::shared_ptr<const Node> left = {}, right = {};
};

namespace {

using NodePtr = std::shared_ptr<const Filter::Node>;
using Kind = Filter::Node::Kind;

/// Recursive descent over words and parentheses: either := both ('or' both)*, both := unit ('and' unit)*.
class FilterParser {
 public:
  explicit FilterParser(const std::string& text) {
    std::string padded;
    for (const char c : text) padded += c == '(' || c == ')' ? fmt::format(" {} ", c) : std::string(1, c);
    std::size_t at = 0;
    while ((at = padded.find_first_not_of(" \t", at)) != std::string::npos) {
      const std::size_t end = std::min(padded.find_first_of(" \t", at), padded.size());
      tokens_.push_back(padded.substr(at, end - at));
      at = end;
    }
  }

  NodePtr parse() {
    NodePtr node = either();
    return node && at_ == tokens_.size() ? node : nullptr;
  }

 private:
  bool take(std::string_view token) {
    const bool found = at_ < tokens_.size() && tokens_[at_] == token;
    at_ += found;
    return found;
  }
  NodePtr either() {
    return chain("or", Kind::either, [this] { return both(); });
  }
  NodePtr both() {
    return chain("and", Kind::both, [this] { return unit(); });
  }

  template <class Next>
  NodePtr chain(std::string_view joiner, Kind kind, Next next) {
    NodePtr left = next();
    while (left && take(joiner)) {
      NodePtr right = next();
      if (!right) return nullptr;
      left = std::make_shared<Filter::Node>(Filter::Node{.kind = kind, .left = left, .right = right});
    }
    return left;
  }

  NodePtr unit() {
    if (++depth_ > 100 || at_ == tokens_.size()) return nullptr;
    if (take("not")) {
      NodePtr inner = unit();
      return inner ? std::make_shared<Filter::Node>(Filter::Node{.kind = Kind::negation, .left = inner})
                   : nullptr;
    }
    if (take("(")) {
      NodePtr inner = either();
      return inner && take(")") ? inner : nullptr;
    }
    const std::string& word = tokens_[at_];
    if (word == ")" || word == "and" || word == "or") return nullptr;
    ++at_;
    return std::make_shared<Filter::Node>(Filter::Node{.word = word});
  }

  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

bool holds_at(const Filter::Node& node, const spec::Case& one) {
  switch (node.kind) {
    case Kind::negation:
      return !holds_at(*node.left, one);
    case Kind::both:
      return holds_at(*node.left, one) && holds_at(*node.right, one);
    case Kind::either:
      return holds_at(*node.left, one) || holds_at(*node.right, one);
    case Kind::word:
      break;
  }
  return one.id.find(node.word) != std::string::npos ||
         std::any_of(one.tags.begin(), one.tags.end(),
                     [&](const std::string& tag) { return tag.find(node.word) != std::string::npos; });
}

}  // namespace

spec::Result<Filter> Filter::parse(const std::string& text) {
  Filter filter;
  filter.root_ = FilterParser(text).parse();
  if (!filter.root_)
    return spec::Error{.what = fmt::format("invalid -k expression '{}'", text),
                       .hint = "join words with and, or, not and parentheses: -k 'scatter and not empty'"};
  return filter;
}

bool Filter::holds(const spec::Case& one) const { return holds_at(*root_, one); }

spec::Result<Shard> Shard::parse(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  const bool slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
  const auto second = slash ? std::from_chars(first.ptr + 1, end, shard.total) : first;
  if (!slash || second.ec != std::errc{} || second.ptr != end || shard.index < 1 || shard.index > shard.total)
    return spec::Error{.what = fmt::format("invalid --shard '{}'", text),
                       .hint = "use I/N with 1 <= I <= N, such as 2/8"};
  return shard;
}

bool Shard::has(std::string_view id) const { return stable_hash(id) % total == index - 1; }

}  // namespace scatterproof::runner
