// SPDX-License-Identifier: Apache-2.0
// Calls built from the arguments in YAML, views of each other's storage included.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scatterproof/spec/opspec/literal.hpp"

namespace scatterproof::spec {
namespace {

using yaml::Node;

bool is_view(const Node& node) { return node.kind == Node::Kind::map && node.find("view_of"); }

class CallReader {
 public:
  CallReader(Reader& reader, const OpSpec& spec, std::span<const Node* const> layers)
      : reader_(reader), spec_(spec), layers_(layers) {}

  std::optional<Call> read(Position at) {
    const std::size_t errors_before = reader_.errors().size();
    refuse_unknown();
    for (const ArgumentDecl& declared : spec_.arguments) add(declared, at);
    // A view is of a tensor that has values of its own, whichever of the two comes first.
    for (const ArgumentDecl& declared : spec_.arguments)
      if (const Node* node = given(declared); node && is_view(*node)) {
        auto tensor = view(declared, *node);
        if (tensor) *find(declared.name) = *std::move(tensor);
      }
    if (const ArgumentDecl* item = item_behind_gap(spec_, call_);
        item && reader_.errors().size() == errors_before)
      reader_.fail(at,
                   fmt::format("'{}' is given without the item of '{}' before it", item->name, item->list),
                   "a list has no gaps");
    if (const std::string fault = fault_of_selections(spec_, call_);
        !fault.empty() && reader_.errors().size() == errors_before)
      reader_.fail(at, fault);
    if (reader_.errors().size() != errors_before) return std::nullopt;
    return std::move(call_);
  }

 private:
  void refuse_unknown() {
    for (const Node* layer : layers_)
      for (std::size_t i = 0; i < layer->members.size(); ++i) {
        const auto& [word, value] = layer->members[i];
        const ArgumentDecl* meant = argument_meant(spec_, word);
        if (!meant)
          fail_unknown(layer->key_positions[i], word);
        else if (meant->name != word && layer->find(meant->name))
          reader_.fail(layer->key_positions[i],
                       fmt::format("'{}' and '{}' are one argument of {}", meant->name, word, spec_.api));
      }
  }

  void fail_unknown(Position at, const std::string& word) {
    std::vector<std::string> known;
    for (const ArgumentDecl& declared : spec_.arguments) known.push_back(declared.name);
    reader_.fail(at, fmt::format("unknown argument of {} '{}'", spec_.api, word),
                 did_you_mean(word, known, fmt::format("its arguments: {}", fmt::join(known, ", "))));
  }

  /// What the last layer that has the argument says; null: nothing.
  const Node* given(const ArgumentDecl& declared) const {
    const Node* last = last_of(declared);
    return last && last->kind == Node::Kind::null ? nullptr : last;
  }

  /// `null` is an argument that is absent on purpose, if it may be; otherwise it removes what a lower layer
  /// set.
  bool is_absent(const ArgumentDecl& declared) const {
    const Node* last = last_of(declared);
    return last && last->kind == Node::Kind::null && declared.optional;
  }

  const Node* last_of(const ArgumentDecl& declared) const {
    const Node* last = nullptr;
    for (const Node* layer : layers_)
      for (const auto& [word, value] : layer->members)
        if (argument_meant(spec_, word) == &declared) last = &value;
    return last;
  }

  void add(const ArgumentDecl& declared, Position at) {
    if (const Node* node = given(declared)) {
      if (is_view(*node))
        call_.arguments.emplace_back(declared.name, None{});  // until its storage is there
      else if (auto value = read_argument(reader_, *node, declared))
        call_.arguments.emplace_back(declared.name, *std::move(value));
    } else if (is_absent(declared)) {
      call_.arguments.emplace_back(declared.name, None{});
    } else if (declared.fallback) {
      call_.arguments.emplace_back(declared.name, *declared.fallback);
      call_.omitted.push_back(declared.name);
    } else if (declared.optional) {
      call_.arguments.emplace_back(declared.name, None{});
    } else {
      reader_.fail(at, fmt::format("argument '{}' of {} is missing", declared.name, spec_.api));
    }
  }

  Argument* find(const std::string& name) {
    const auto found = std::ranges::find(call_.arguments, name, &std::pair<std::string, Argument>::first);
    return found == call_.arguments.end() ? nullptr : &found->second;
  }

  /// The tensor over whose storage a view lies; null after an error.
  const Tensor* owner(const ArgumentDecl& declared, const Node& name) {
    const ArgumentDecl* other = argument_meant(spec_, name.text);
    if (!other) {
      fail_unknown(name.at, name.text);
      return nullptr;
    }
    for (const std::string& one : {declared.name, other->name})
      if (spec_.meaning.overwrites(one)) {
        reader_.fail(name.at, fmt::format("'{}' is overwritten, so it cannot share its storage", one),
                     "no document says what happens then");
        return nullptr;
      }
    const Node* node = given(*other);
    Argument* value = find(other->name);
    const auto* tensor = value ? std::get_if<Tensor>(value) : nullptr;
    if (tensor && node && !is_view(*node)) return tensor;
    if (!node || node->kind != Node::Kind::map || is_view(*node))  // else its own error is there already
      reader_.fail(name.at, fmt::format("'{}' is not given as a tensor with values", name.text),
                   "name the argument whose storage this one shares");
    return nullptr;
  }

  std::optional<Tensor> view(const ArgumentDecl& declared, const Node& node) {
    if (declared.kind != ArgumentKind::tensor && declared.kind != ArgumentKind::tensor_or_scalar) {
      reader_.fail(node.at,
                   fmt::format("'{}' is not a tensor, so it cannot be a view of one", declared.name));
      return std::nullopt;
    }
    const Tensor* const of = owner(declared, *node.find("view_of"));
    if (!of) return std::nullopt;
    const Node* const sizes = node.find("shape");
    if (!sizes) return *of;
    const auto shape = read_shape(reader_, *sizes);
    if (!shape) return std::nullopt;
    const Node* const steps = node.find("strides");
    const auto strides = steps ? read_strides(reader_, *steps) : contiguous_strides(*shape);
    if (!strides) return std::nullopt;
    const Node* const offset = node.find("offset");
    auto tensor = Tensor::view(of->dtype(), *shape, *strides, offset ? offset->number.integer() : 0,
                               of->shared_storage());
    if (!tensor)
      reader_.fail(
          node.at,
          fmt::format("a view of shape {}, strides {} and offset {} does not lie within the {} elements "
                      "of the storage of '{}'",
                      to_string(*shape), to_string(*strides), offset ? offset->number.integer() : 0,
                      of->storage().size() / size_of(of->dtype()), node.find("view_of")->text),
          "one stride for each size, both counted in elements");
    return tensor;
  }

  Reader& reader_;
  const OpSpec& spec_;
  std::span<const Node* const> layers_;
  Call call_{};
};

}  // namespace

std::optional<Call> read_call(Reader& reader, const OpSpec& spec, std::span<const Node* const> layers,
                              Position at) {
  auto call = CallReader(reader, spec, layers).read(at);
  if (call) call->api = spec.api;
  return call;
}

}  // namespace scatterproof::spec
