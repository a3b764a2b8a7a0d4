// SPDX-License-Identifier: Apache-2.0
// One claims file: schema first, then part by part; all errors at once.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "scatterproof/runner/claims/claim.hpp"
#include "scatterproof/spec/opspec/frame.hpp"
#include "scatterproof/spec/opspec/literal.hpp"
#include "scatterproof/spec/opspec/reader.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner::claims {
namespace {

namespace fs = std::filesystem;
using spec::ArgumentDecl;
using spec::ArgumentKind;
using spec::language::Scope;
using spec::language::Type;
using spec::language::Types;
using spec::yaml::Node;

constexpr std::array<std::pair<std::string_view, ClaimStanding>, 4> standings = {
    {{"holds", ClaimStanding::holds},
     {"holds if", ClaimStanding::holds_if},
     {"refuted", ClaimStanding::refuted},
     {"not run", ClaimStanding::not_run}}};

/// The types of an expression that gives an argument of this kind.
Types types_for(const ArgumentDecl& declared) {
  Types types = spec::static_types(declared) | static_cast<Types>(Type::none);
  if (declared.kind == ArgumentKind::scalar || declared.kind == ArgumentKind::tensor_or_scalar)
    types |= (Type::integer | Type::boolean) | static_cast<Types>(Type::number);
  return types & ~static_cast<Types>(Type::tensor);
}

class Loader {
 public:
  Loader(const spec::yaml::Document& document, const spec::SpecLibrary& specs)
      : reader_(document), specs_(specs) {}

  spec::Result<ClaimFile> run() {
    reader_.fail(spec::yaml::validate(reader_.document(), "claims"));
    if (!reader_.errors().empty()) return reader_.errors();
    const Node& root = reader_.document().root;
    file_.file = reader_.document().file;
    file_.title = reader_.text(root, "title");
    for (const auto& [id, node] : root.find("sources")->members)
      file_.sources.push_back({id, reader_.text(node, "title"), reader_.text(node, "date")});
    spec::Unique unique(reader_, "claim");
    for (const Node& node : root.find("claims")->items) {
      unique.add(reader_.text(node, "id"), node.at);
      file_.claims.push_back(read_claim(node));
    }
    if (!reader_.errors().empty()) return reader_.errors();
    return std::move(file_);
  }

 private:
  MappingClaim read_claim(const Node& node) {
    MappingClaim claim;
    claim.at = node.at;
    claim.id = reader_.text(node, "id");
    claim.word = reader_.text(node, "class");
    claim.says = reader_.text(node, "says");
    claim.because = reader_.text(node, "because");
    claim.sources = reader_.texts(node, "source");
    for (const std::string& source : claim.sources)
      if (std::ranges::find(file_.sources, source, &ClaimSource::id) == file_.sources.end())
        reader_.fail(node.find("source")->at, fmt::format("unknown source '{}'", source),
                     "sources are listed at the top of the file");
    if (!claim.because.empty()) return claim;
    if (const Node* prints = node.find("prints")) {
      read_prints(*prints, claim);
      read_expect(node, claim);
      return claim;
    }
    claim.a = find_api(*node.find("a"));
    const Node* api = node.find("b")->find("api");
    claim.b = api ? find_api(*api) : claim.a;
    if (!claim.a || !claim.b) return claim;
    read_executable(node, claim);
    return claim;
  }

  void read_executable(const Node& node, MappingClaim& claim) {
    scope_ = spec::base_scope(*claim.a);
    const Node& b = *node.find("b");
    claim.form = reader_.text(b, "form");
    if (const Node* when = node.find("when")) claim.when = parse(*when, scope_, Type::boolean);
    if (const Node* gives = node.find("gives")) claim.gives = read_built(*gives, scope_);
    if (claim.form.empty())
      read_arguments(b, claim);
    else
      for (const ArgumentDecl& declared : claim.a->arguments)
        claim.arguments.emplace_back(declared.name, SameArgument{declared.name});
    if (const Node* result = b.find("result")) {
      Scope with_result = scope_;
      with_result.declare("result", static_cast<Types>(Type::tensor));
      claim.result = read_built(*result, with_result);
    }
    const auto is_first = [](const auto& entry) { return std::holds_alternative<FirstResult>(entry.second); };
    if (claim.gives && reader_.errors().empty() && std::ranges::none_of(claim.arguments, is_first))
      reader_.fail(node.find("gives")->at, "no argument of b is $result, so gives has no call to be about",
                   "gives is what b gives when it gets the result of a, written $result");
    read_stated(node, claim);
    read_calls(node, claim);
    read_expect(node, claim);
  }

  void read_arguments(const Node& b, MappingClaim& claim) {
    const Node* arguments = b.find("arguments");
    if (arguments)
      for (std::size_t i = 0; i < arguments->members.size(); ++i)
        read_argument(claim, arguments->members[i].first, arguments->members[i].second,
                      arguments->key_positions[i]);
    for (const ArgumentDecl& declared : claim.b->arguments)
      if (!declared.fallback && !declared.optional &&
          !(arguments && (arguments->find(declared.name) || arguments->find(declared.list))))
        reader_.fail(b.at, fmt::format("the argument '{}' of {} is not given", declared.name, claim.b->api),
                     "it has no default");
  }

  const spec::OpSpec* find_api(const Node& node) {
    if (const spec::OpSpec* op = specs_.find(node.text)) return op;
    std::vector<std::string> known;
    for (const spec::OpSpec& op : specs_.all()) known.push_back(op.api);
    reader_.fail_unknown(node.at, "API", node.text, known);
    return nullptr;
  }

  spec::ExpressionPtr parse(const Node& node, const Scope& scope, Types expected) {
    return reader_.take(spec::language::parse_expression(reader_.expression(node), scope, expected));
  }
  spec::ExpressionPtr parse(const Node& node, const Scope& scope, Type expected) {
    return parse(node, scope, static_cast<Types>(expected));
  }

  std::vector<std::string> names_of(const spec::OpSpec& op) {
    std::vector<std::string> names;
    for (const ArgumentDecl& declared : op.arguments) names.push_back(declared.name);
    return names;
  }

  static std::vector<std::string> items_of(const spec::OpSpec& op, std::string_view list) {
    std::vector<std::string> names;
    for (const ArgumentDecl& declared : op.arguments)
      if (declared.list == list && !list.empty()) names.push_back(declared.name);
    return names;
  }

  /// A list of tensors of A, as a list of B.
  void read_list(MappingClaim& claim, const std::string& name, const Node& node, spec::Position at) {
    const std::string_view of = node.text;
    const auto theirs = items_of(*claim.a, of.starts_with('$') ? of.substr(1) : std::string_view());
    if (theirs.empty())
      return reader_.fail(at, fmt::format("'{}' is a list of tensors of {}", name, claim.b->api),
                          "use $name with a list of the other API, or name its items");
    const auto ours = items_of(*claim.b, name);
    for (std::size_t i = 0; i < ours.size(); ++i)
      claim.arguments.emplace_back(ours[i], SameArgument{theirs[i]});
  }

  void read_argument(MappingClaim& claim, const std::string& name, const Node& node, spec::Position at) {
    if (!items_of(*claim.b, name).empty()) return read_list(claim, name, node, at);
    const ArgumentDecl* declared = claim.b->argument(name);
    if (!declared)
      return reader_.fail_unknown(at, fmt::format("argument of {}", claim.b->api), name, names_of(*claim.b));
    if (auto mapping = read_mapping(claim, *declared, node))
      claim.arguments.emplace_back(name, *std::move(mapping));
  }

  std::optional<Mapping> read_mapping(const MappingClaim& claim, const ArgumentDecl& declared,
                                      const Node& node) {
    if (node.find("each")) return read_built(node, scope_);
    if (node.find("by")) return read_words(claim, declared, node);
    if (node.text.starts_with('$')) {
      const std::string name = node.text.substr(1);
      if (name == "result" && claim.gives) return FirstResult{};
      if (claim.a->argument(name)) return SameArgument{name};
      if (name == "result")
        reader_.fail(node.at, "$result is the result of a, which b gets only in a claim with gives",
                     "gives says what b must give then");
      else
        reader_.fail_unknown(node.at, fmt::format("argument of {}", claim.a->api), name, names_of(*claim.a));
      return {};
    }
    if (declared.kind == ArgumentKind::choice) {
      auto word = spec::read_argument(reader_, node, declared);
      return word ? std::optional<Mapping>(*std::move(word)) : std::nullopt;
    }
    if (declared.kind == ArgumentKind::tensor) {
      reader_.fail(node.at, fmt::format("'{}' is a tensor", declared.name),
                   "use $name, or sizes, dtype and each");
      return {};
    }
    return parse(node, scope_, types_for(declared));
  }

  std::optional<Mapping> read_words(const MappingClaim& claim, const ArgumentDecl& declared,
                                    const Node& node) {
    WordMap words{.by = reader_.text(node, "by"), .table = {}};
    if (!claim.a->argument(words.by)) {
      reader_.fail_unknown(node.find("by")->at, fmt::format("argument of {}", claim.a->api), words.by,
                           names_of(*claim.a));
      return {};
    }
    for (const auto& [word, to] : node.find("words")->members)
      if (auto value = spec::read_argument(reader_, to, declared))
        words.table.emplace_back(word, *std::move(value));
    return words;
  }

  TensorMapping read_built(const Node& node, const Scope& scope) {
    Scope with_position = scope;
    if (scope.find("p"))
      reader_.fail(node.at, "the API has an argument or name 'p': no position can be called so");
    else
      with_position.declare("p", static_cast<Types>(Type::tuple));
    return {.sizes = parse(*node.find("sizes"), scope, Type::tuple | Type::integer),
            .dtype = parse(*node.find("dtype"), scope, Type::dtype),
            .each = parse(*node.find("each"), with_position, ~static_cast<Types>(Type::tuple))};
  }

  void read_stated(const Node& node, MappingClaim& claim) {
    const Node* list = node.find("stated");
    if (!list) return;
    for (const Node& item : list->items) {
      StatedDifference stated{.says = reader_.text(item, "says"), .when = nullptr};
      if (const Node* when = item.find("when")) stated.when = parse(*when, scope_, Type::boolean);
      stated.only_refusals = reader_.text(item, "did") == "refuses";
      claim.stated.push_back(std::move(stated));
    }
  }

  void read_calls(const Node& node, MappingClaim& claim) {
    const Node* calls = node.find("calls");
    if (!calls) return;
    for (const Node& item : calls->items) {
      const Node* layer = &item;
      if (auto call = spec::read_call(reader_, *claim.a, {&layer, 1}, item.at))
        claim.calls.push_back(*std::move(call));
    }
  }

  void read_prints(const Node& list, MappingClaim& claim) {
    for (const Node& item : list.items) {
      PrintedCall printed{.op = find_api(*item.find("api")), .call = {}, .gives = {}};
      const Node* gives = item.find("gives");
      if (!gives->is_scalar()) printed.gives = spec::read_tensor(reader_, *gives);
      if (!printed.op) continue;
      const Node* layer = item.find("call");
      if (auto call = spec::read_call(reader_, *printed.op, {&layer, 1}, layer->at)) {
        printed.call = *std::move(call);
        claim.prints.push_back(std::move(printed));
      }
    }
  }

  void read_expect(const Node& node, MappingClaim& claim) {
    const Node* expect = node.find("expect");
    if (!expect) return;
    if (expect->is_scalar())
      claim.expect.emplace("", *parse_standing(expect->text));
    else
      for (const auto& [engine, standing] : expect->members)
        claim.expect.emplace(engine, *parse_standing(standing.text));
  }

  spec::Reader reader_;
  const spec::SpecLibrary& specs_;
  ClaimFile file_;
  Scope scope_;  ///< of the claim's A
};

spec::Result<ClaimFile> load(const spec::Result<spec::yaml::Document>& document,
                             const spec::SpecLibrary& specs) {
  if (!document) return document.errors();
  return Loader(*document, specs).run();
}

/// Claims are named by their id alone.
spec::Errors duplicates(const std::vector<ClaimFile>& files) {
  spec::Errors errors;
  std::map<std::string, std::string> seen;
  for (const ClaimFile& file : files)
    for (const MappingClaim& claim : file.claims)
      if (const auto [other, added] = seen.emplace(claim.id, file.file); !added && other->second != file.file)
        errors.push_back({.file = file.file,
                          .at = claim.at,
                          .what = fmt::format("claim '{}' is already in {}", claim.id, other->second)});
  return errors;
}

}  // namespace

std::string_view name(ClaimStanding standing) {
  return std::ranges::find(standings, standing, &std::pair<std::string_view, ClaimStanding>::second)->first;
}

std::optional<ClaimStanding> parse_standing(std::string_view name) {
  const auto found = std::ranges::find(standings, name, &std::pair<std::string_view, ClaimStanding>::first);
  return found != standings.end() ? std::optional(found->second) : std::nullopt;
}

spec::Result<ClaimFile> load_claims_text(std::string file_name, std::string text,
                                         const spec::SpecLibrary& specs) {
  return load(spec::yaml::read_text(std::move(file_name), std::move(text)), specs);
}

spec::Result<std::vector<ClaimFile>> load_claims(const std::string& folder, const spec::SpecLibrary& specs) {
  std::error_code failed;
  std::vector<std::string> paths;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (it->path().extension() == ".yaml") paths.push_back(it->path().string());
  if (failed)
    return spec::Error{.file = folder,
                       .what = fmt::format("cannot read the claims folder: {}", failed.message())};
  std::ranges::sort(paths);
  spec::Errors errors;
  std::vector<ClaimFile> files;
  for (const std::string& path : paths) {
    auto loaded = load(spec::yaml::read_file(path), specs);
    if (loaded)
      files.push_back(std::move(loaded).value());
    else
      errors.insert(errors.end(), loaded.errors().begin(), loaded.errors().end());
  }
  if (errors.empty()) errors = duplicates(files);
  if (!errors.empty()) return errors;
  return files;
}

}  // namespace scatterproof::runner::claims
