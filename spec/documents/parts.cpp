// SPDX-License-Identifier: Apache-2.0
// Every part of the specs that rests on a text, and every case.
#include <fmt/format.h>

#include "scatterproof/spec/documents/audit.hpp"

namespace scatterproof::spec {
namespace {

class Collector {
 public:
  Collector(const std::string& text, std::vector<SpecPart>& parts) : text_(text), parts_(parts) {}

  void add(const OpSpec& spec) {
    const auto part = [&](const std::string& what, const Source& from) {
      return add(spec, named(spec, what), spec.file, from);
    };
    if (!spec.variant_of.empty()) {  // all else is the spec's
      part("variant of " + spec.variant_of, spec.meaning.from);
      return;
    }
    for (const ArgumentDecl& one : spec.arguments) part("argument " + one.name, one.from);
    for (const Rule& one : spec.rules) part("rule " + one.id, one.from);
    part("meaning", spec.meaning.from);
    part("latitude", spec.latitude.from);
    part("refusal", spec.refusal.from);
    for (const Rule& one : spec.gradient.rules) part("rule " + one.id + " of the gradient", one.from);
    part("gradient", spec.gradient.from);
    part("platforms", spec.platforms.from);
    part("deprecated", spec.deprecated.from);
    for (const Formula& one : spec.formulas)
      if (SpecPart* made = part("formula " + one.id, one.from)) made->reads = {one.reads};
    for (const Doubt& doubt : spec.doubts) add(spec, doubt);
    for (const Omission& one : spec.omits)
      if (SpecPart* made = part(fmt::format("{}: {}", one.because, one.says), one.from)) {
        made->omits = true;
        made->not_yet = one.because == "not yet";
      }
  }

  void add(const OpSpec& spec, const Case& one) {
    SpecPart* made = add(spec, one.id, one.file, one.from);
    // What a page prints is what it defines: a case that expects nothing does not state it.
    using Kind = CaseExpectation::Kind;
    if (!made || one.expect.kind == Kind::undefined || one.expect.kind == Kind::open) return;
    take_numbers(*made, one.call);
    for (const Tensor& value : one.expect.values) made->tensors.push_back(&value);
  }

 private:
  static void take_numbers(SpecPart& part, const Call& call) {
    part.tensors = tensors_of(call);
    for (const auto& [name, argument] : call.arguments)
      if (const auto* list = std::get_if<Shape>(&argument)) part.lists.push_back(list);
  }

  static std::string named(const OpSpec& spec, const std::string& what) {
    return fmt::format("{}: {}", spec.api, what);
  }

  /// The clauses of the text that the sources name.
  void take_anchors(const OpSpec& spec, const Source& from, std::vector<const Anchor*>& anchors) const {
    const DocumentRef* document = spec.document(from.document);
    if (document && document->text_name() == text_)
      for (const Anchor& one : from.clauses) anchors.push_back(&one);
    for (const Source& one : from.also) take_anchors(spec, one, anchors);
  }

  /// Null where the part does not rest on the text.
  SpecPart* add(const OpSpec& spec, std::string name, const std::string& file, const Source& from) {
    std::vector<const Anchor*> anchors;
    take_anchors(spec, from, anchors);
    if (anchors.empty()) return nullptr;
    return &parts_.emplace_back(
        SpecPart{.name = std::move(name), .file = file, .anchors = std::move(anchors)});
  }

  void add(const OpSpec& spec, const Doubt& doubt) {
    for (const Doubt::Claim& claim : doubt.claims) {
      SpecPart* made = add(spec, named(spec, "doubt " + doubt.id), spec.file, claim.from);
      if (!made) continue;
      if (doubt.witness) take_numbers(*made, *doubt.witness);
      if (claim.result) made->tensors.push_back(&*claim.result);
    }
  }

  const std::string& text_;
  std::vector<SpecPart>& parts_;
};

}  // namespace

std::vector<SpecPart> parts_on(const std::string& text, const SpecLibrary& specs,
                               const std::vector<Case>& cases) {
  std::vector<SpecPart> parts;
  Collector collector(text, parts);
  for (const OpSpec& spec : specs.all()) collector.add(spec);
  for (const Case& one : cases)
    if (const OpSpec* spec = specs.find(one.call.api); spec && spec->variant_of.empty())
      collector.add(*spec, one);
  return parts;
}

}  // namespace scatterproof::spec
