// SPDX-License-Identifier: Apache-2.0
#include "row_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

#include "parameters.hpp"
#include "scatterproof/spec/opspec/literal.hpp"
#include "tensor_reader.hpp"

namespace scatterproof::runner::bench {
namespace {

using spec::Reader;
using spec::yaml::Node;

/// One template with one combination of its parameters, read into a row.
class RowReader {
 public:
  RowReader(Reader& reader, const spec::SpecLibrary& specs, const std::string& benchmark, const Node& one)
      : reader_(reader), specs_(specs), template_(one) {
    row_.benchmark = benchmark;
    row_.file = reader.document().file;
    row_.at = one.at;
  }

  /// Empty after an error.
  std::optional<BenchmarkRow> read(const Bindings& bindings) {
    const std::size_t errors_before = reader_.errors().size();
    for (const auto& [key, value] : template_.members) {
      if (key != "row" && key != "operation" && key != "tensors" && key != "api" && key != "call" &&
          key != "peers")
        continue;
      parts_.emplace(key, substituted(reader_, value, bindings));
    }
    row_.operation = part("operation").text;
    read_id();
    read_tensors(bindings);
    if (reader_.errors().size() == errors_before) read_calls();
    if (reader_.errors().size() == errors_before) check_sizes();
    if (reader_.errors().size() != errors_before) return std::nullopt;
    return std::move(row_);
  }

 private:
  const Node& part(const std::string& key) const { return parts_.at(key); }

  void read_id() {
    const Node& id = part("row");
    row_.id = row_.benchmark + "/" + id.text;
    const auto allowed = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) ||
             std::string_view("/._+-:,").find(c) != std::string::npos;
    };
    if (!id.is_scalar() || id.text.empty() || !std::ranges::all_of(id.text, allowed))
      reader_.fail(template_.find("row")->at, fmt::format("invalid id '{}'", id.text),
                   "an id is made of letters, digits and . _ + - : , in parts divided by /; every $name is a "
                   "parameter");
  }

  // ---- tensors

  void read_tensors(const Bindings& bindings) {
    const Node& tensors = part("tensors");
    for (std::size_t i = 0; i < tensors.members.size(); ++i) {
      const auto& [name, node] = tensors.members[i];
      if (bindings.contains(name))
        reader_.fail(tensors.key_positions[i], fmt::format("'{}' is already a parameter", name));
      row_.tensors.push_back(read_tensor(reader_, name, node));
      tensor_at_.push_back(tensors.key_positions[i]);
    }
    for (std::size_t i = 0; i < row_.tensors.size(); ++i) check_tensor(row_.tensors[i], tensor_at_[i]);
    for (const TensorPlan& tensor : row_.tensors)
      if (row_.distribution.empty() && tensor.expand.empty() && tensor.fill.kind != Fill::Kind::lattice)
        row_.distribution = tensor.fill.name;
  }

  const TensorPlan* find_tensor(const std::string& name) const {
    const auto found = std::ranges::find(row_.tensors, name, &TensorPlan::name);
    return found == row_.tensors.end() ? nullptr : &*found;
  }

  /// The tensor of this name; reports that there is none.
  const TensorPlan* known_tensor(const std::string& name, spec::Position at) {
    if (const TensorPlan* tensor = find_tensor(name)) return tensor;
    std::vector<std::string> known;
    for (const TensorPlan& tensor : row_.tensors) known.push_back(tensor.name);
    reader_.fail_unknown(at, "tensor", name, known);
    return nullptr;
  }

  /// Checks what a tensor says about other tensors.
  void check_tensor(TensorPlan& tensor, spec::Position at) {
    const auto fail = [&](const char* what) {
      reader_.fail(at, fmt::format("tensor '{}': {}", tensor.name, what));
    };
    for (const Size& size : tensor.shape)
      if (!size.reach.empty())
        if (const TensorPlan* index = known_tensor(size.reach, at);
            index && index->fill.kind != Fill::Kind::pattern)
          fail("only an index that is a pattern has a reach");
    if (!tensor.expand.empty()) {
      const TensorPlan* base = known_tensor(tensor.expand, at);
      if (!base) return;
      tensor.dtype = base->dtype;
      if (base->shape.size() != 1 || !base->expand.empty())
        fail("only a tensor of one dimension is expanded");
      if (tensor.dim >= tensor.shape.size()) fail("'along' is not a dimension of its shape");
      return;
    }
    const bool bounded = tensor.fill.kind != Fill::Kind::lattice && tensor.fill.kind != Fill::Kind::pattern;
    if (bounded && tensor.into.empty()) return fail("an index needs 'into', the tensor that bounds it");
    if (!bounded && !tensor.into.empty()) return fail("'into' has no effect with this fill");
    const bool index = tensor.fill.kind != Fill::Kind::lattice;
    if (index && tensor.dtype != spec::DType::i32 && tensor.dtype != spec::DType::i64)
      return fail("an index must be i32 or i64");
    if (!bounded) return;
    const TensorPlan* table = known_tensor(tensor.into, at);
    if (!table) return;
    if (tensor.tuples && tensor.shape.empty()) fail("tuples need a dimension");
    if (!tensor.tuples && tensor.dim >= table->shape.size()) fail("'dim' is not a dimension of 'into'");
  }

  /// Sizes that depend on others: after everything else is in order.
  void check_sizes() {
    const auto all = shapes(row_);
    if (all.empty()) {
      reader_.fail(template_.at,
                   fmt::format("a tensor of row '{}' has more than {} elements", row_.id, spec::max_numel));
      return;
    }
    for (std::size_t i = 0; i < row_.tensors.size(); ++i) {
      const TensorPlan& tensor = row_.tensors[i];
      const auto place = [&](const std::string& name) {
        return static_cast<std::size_t>(find_tensor(name) - row_.tensors.data());
      };
      if (!tensor.expand.empty() && all[place(tensor.expand)][0] != all[i][tensor.dim])
        reader_.fail(tensor_at_[i],
                     fmt::format("'{}' has {} elements, the dimension it lies along has {}", tensor.expand,
                                 all[place(tensor.expand)][0], all[i][tensor.dim]));
      if (tensor.into.empty()) continue;
      const spec::Shape& table = all[place(tensor.into)];
      if (tensor.tuples && all[i].back() > static_cast<std::int64_t>(table.size()))
        reader_.fail(tensor_at_[i], fmt::format("tuples of {} point into a tensor of {} dimensions",
                                                all[i].back(), table.size()));
      else if (spec::numel(all[i]) > 0 && spec::numel(table) == 0)
        reader_.fail(tensor_at_[i], fmt::format("'{}' has no elements to point to", tensor.into));
      else if (tensor.fill.kind == Fill::Kind::permutation && spec::numel(all[i]) > table[tensor.dim])
        reader_.fail(tensor_at_[i], fmt::format("there are no {} different numbers below {}",
                                                spec::numel(all[i]), table[tensor.dim]));
    }
  }

  // ---- calls

  void read_calls() {
    row_.call = read_call(part("api"), part("call"), nullptr);
    const spec::OpSpec* spec = specs_.find(row_.call.api);
    if (spec && spec->kernel.op.empty())
      reader_.fail(part("api").at, fmt::format("{} has no kernel that could be timed", row_.call.api));
    if (!parts_.contains("peers")) return;
    for (const Node& peer : part("peers").items)
      row_.peers.push_back(read_call(*peer.find("api"), *peer.find("call"), &peer));
  }

  /// `peer`: the peer's map, null for the row's own call.
  CallPlan read_call(const Node& api, const Node& call, const Node* peer) {
    CallPlan plan{.api = api.text};
    const Node* in_place = peer ? peer->find("in_place") : nullptr;
    const spec::OpSpec* spec = specs_.find(api.text);
    if (!spec && !in_place && !(peer && row_.is_gather())) {
      std::vector<std::string> known;
      for (const spec::OpSpec& one : specs_.all()) known.push_back(one.api);
      reader_.fail_unknown(api.at, "API", api.text, known);
      return plan;
    }
    if (spec && in_place)
      reader_.fail(in_place->at, fmt::format("the spec of {} says whether it overwrites", api.text));
    if (spec)
      read_arguments(*spec, call, plan);
    else
      read_arguments(call, plan);
    if (!row_.is_gather())
      plan.in_place = spec ? !spec->meaning.in_place.empty() : in_place->number.integer() != 0;
    return plan;
  }

  /// The name of the tensor that `$name` stands for; empty when it is something else. Reports unknown names.
  std::string tensor_of(const Node& value) {
    if (value.kind != Node::Kind::string || !value.text.starts_with('$')) return {};
    const std::string name = value.text.substr(1);
    return known_tensor(name, value.at) ? name : "";
  }

  void read_arguments(const spec::OpSpec& spec, const Node& call, CallPlan& plan) {
    std::vector<std::string> known;
    for (const spec::ArgumentDecl& declared : spec.arguments) known.push_back(declared.name);
    for (std::size_t i = 0; i < call.members.size(); ++i)
      if (!spec.argument(call.members[i].first))
        reader_.fail_unknown(call.key_positions[i], fmt::format("argument of {}", spec.api),
                             call.members[i].first, known);
    for (const spec::ArgumentDecl& declared : spec.arguments) {
      const Node* given = call.find(declared.name);
      const bool takes_tensor = declared.kind == spec::ArgumentKind::tensor ||
                                declared.kind == spec::ArgumentKind::tensor_or_scalar;
      if (given && given->kind == Node::Kind::string && given->text.starts_with('$')) {
        const std::string name = tensor_of(*given);
        if (!takes_tensor) reader_.fail(given->at, fmt::format("'{}' does not take a tensor", declared.name));
        plan.arguments.push_back({.name = declared.name, .tensor = name});
      } else if (given && declared.kind == spec::ArgumentKind::tensor) {
        reader_.fail(given->at, fmt::format("'{}' is a tensor", declared.name), "write $name");
      } else if (given && given->kind != Node::Kind::null) {
        if (const auto value = spec::read_argument(reader_, *given, declared))
          plan.arguments.push_back({.name = declared.name, .value = *value});
      } else if (declared.fallback) {
        plan.arguments.push_back({.name = declared.name, .value = *declared.fallback});
      } else if (declared.optional) {
        plan.arguments.push_back({.name = declared.name, .value = spec::None{}});
      } else {
        reader_.fail(call.at, fmt::format("argument '{}' of {} is missing", declared.name, spec.api));
      }
    }
  }

  /// For an API without a spec: the arguments as written, in that order.
  void read_arguments(const Node& call, CallPlan& plan) {
    for (const auto& [name, value] : call.members) {
      const std::string tensor = tensor_of(value);
      ArgumentPlan argument{.name = name, .tensor = tensor};
      if (value.is_number() || value.kind == Node::Kind::boolean)
        argument.value = value.number;
      else if (value.kind == Node::Kind::string && tensor.empty())
        argument.value = value.text;
      else if (value.kind == Node::Kind::list)
        argument.value = integers(value);
      plan.arguments.push_back(std::move(argument));
    }
  }

  spec::Shape integers(const Node& list) {
    spec::Shape values;
    for (const Node& item : list.items) {
      if (item.kind == Node::Kind::integer)
        values.push_back(item.number.integer());
      else
        reader_.fail(item.at, "expected a list of integers");
    }
    return values;
  }

  Reader& reader_;
  const spec::SpecLibrary& specs_;
  const Node& template_;
  std::map<std::string, Node> parts_;
  std::vector<spec::Position> tensor_at_;
  BenchmarkRow row_;
};

}  // namespace

std::vector<BenchmarkRow> read_template(Reader& reader, const spec::SpecLibrary& specs,
                                        const std::string& benchmark, const Node& one, const Node* instead) {
  std::vector<BenchmarkRow> rows;
  for (const Bindings& bindings : combinations(one.find("for"), instead))
    if (auto row = RowReader(reader, specs, benchmark, one).read(bindings)) rows.push_back(*std::move(row));
  return rows;
}

}  // namespace scatterproof::runner::bench
