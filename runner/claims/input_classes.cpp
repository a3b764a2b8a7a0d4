// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/claims/input_classes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scatterproof/spec/opspec/frame.hpp"
#include "scatterproof/spec/opspec/reader.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner::claims {
namespace {

using spec::language::Scope;
using spec::language::Types;

constexpr auto boolean = static_cast<Types>(spec::language::Type::boolean);

void read_class(spec::Reader& reader, const spec::yaml::Node& node, const Scope& scope,
                std::vector<InputClass>& classes) {
  InputClass one{.id = reader.text(node, "id"),
                 .says = reader.text(node, "says"),
                 .without = reader.text(node, "without"),
                 .when = {}};
  if (!one.without.empty() && !scope.find(one.without))
    reader.fail(node.find("without")->at, fmt::format("unknown role '{}'", one.without));
  const spec::yaml::Node& when = *node.find("when");
  const auto read = [&](const spec::yaml::Node& text) {
    one.when.push_back(reader.expression(text));
    reader.take(spec::language::parse_expression(one.when.back(), scope, boolean));
  };
  if (when.kind == spec::yaml::Node::Kind::list)
    for (const spec::yaml::Node& item : when.items) read(item);
  else
    read(when);
  classes.push_back(std::move(one));
}

}  // namespace

spec::Result<InputClasses> InputClasses::load(const std::string& path) {
  const auto document = spec::yaml::read_file(path);
  if (!document) return document.errors();
  spec::Reader reader(*document);
  reader.fail(spec::yaml::validate(*document, "input_classes"));
  if (!reader.errors().empty()) return reader.errors();
  InputClasses read;
  Scope anything;  // an API declares the roles that it has, with their types
  for (const auto& [role, names] : document->root.find("roles")->members) {
    read.roles.emplace_back(role, reader.texts(*document->root.find("roles"), role));
    anything.declare(role, ~Types{0});
  }
  spec::Unique unique(reader, "input class");
  const auto& items = document->root.find("classes")->items;
  if (items.size() > most_classes) reader.fail(items[most_classes].at, "there are too many classes");
  for (const spec::yaml::Node& node : items) {
    unique.add(reader.text(node, "id"), node.at);
    read_class(reader, node, anything, read.classes);
  }
  if (!reader.errors().empty()) return reader.errors();
  return read;
}

ClassesOf::ClassesOf(const InputClasses& classes, const spec::OpSpec& spec) : spec_(spec) {
  Scope scope;
  for (const auto& [role, names] : classes.roles)
    for (std::size_t i = 0; i < spec.arguments.size(); ++i)
      if (!scope.find(role) && std::ranges::find(names, spec.arguments[i].name) != names.end()) {
        scope.declare(role, spec::static_types(spec.arguments[i]));
        arguments_.push_back(i);
      }
  for (const InputClass& one : classes.classes) {
    auto& parsed = when_.emplace_back();
    if (scope.find(one.without)) continue;
    // An expression that needs what the API lacks, or has as another type, does not concern it.
    for (const spec::language::Text& text : one.when)
      if (auto expression = spec::language::parse_expression(text, scope, boolean))
        parsed.push_back(std::move(expression).value());
    applicable_.set(when_.size() - 1, !parsed.empty());
  }
}

ClassSet ClassesOf::of(const spec::Call& call) const {
  const auto own = spec::make_frame(spec_, call).frame;
  spec::language::Frame frame;
  for (const std::size_t argument : arguments_) frame.push_back(own[argument]);
  const auto holds = [&](const spec::ExpressionPtr& expression) {
    try {
      return spec::language::evaluate_bool(*expression, frame);
    } catch (const spec::language::NotEvaluable&) {
      return false;
    }
  };
  ClassSet set;
  for (std::size_t i = 0; i < when_.size(); ++i) set.set(i, std::ranges::any_of(when_[i], holds));
  return set;
}

}  // namespace scatterproof::runner::claims
