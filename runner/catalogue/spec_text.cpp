// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/catalogue/spec_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scatterproof/spec/language/language.hpp"
#include "scatterproof/spec/oracle/doubt.hpp"

namespace scatterproof::runner {

std::string words(const spec::Promise& promise) {
  std::string text;
  switch (promise.kind) {
    case spec::Promise::Kind::error:
      text =
          promise.classes.empty() ? "must be refused" : fmt::format("{}", fmt::join(promise.classes, " or "));
      break;
    case spec::Promise::Kind::undefined:
      text = "undefined";
      break;
    case spec::Promise::Kind::open:
      text = "open: the document is silent";
      break;
  }
  return text;
}

std::string words(const spec::Applies& applies) {
  std::string text;
  if (!applies.since.empty()) text += " since " + applies.since;
  if (!applies.until.empty()) text += " until " + applies.until;
  if (!applies.device.empty()) text += " on " + applies.device;
  return text;
}

std::string words(const spec::Source& from) {
  if (from.document.empty()) return "";
  std::string text = from.section.empty() ? fmt::format("[{}]", from.document)
                                          : fmt::format("[{}: {}]", from.document, from.section);
  for (const spec::Source& one : from.also) text += " " + words(one);
  return text;
}

std::string describe_meaning(const spec::Meaning& meaning) {
  std::string text = fmt::format("  result of shape {}, dtype of {}\n", meaning.result_shape->text(),
                                 meaning.result_dtype_of);
  text += fmt::format("  start {}\n", meaning.start ? meaning.start->text() : "(every cell is written)");
  for (const spec::Loop& loop : meaning.loops)
    text += fmt::format("  for {} in positions({})\n", loop.variable, loop.domain->text());
  if (meaning.where) text += fmt::format("  where {}\n", meaning.where->text());
  text += fmt::format("    out[{}] <- {}\n  combined by {}\n", meaning.at->text(), meaning.value->text(),
                      meaning.combine->text());
  if (meaning.start_counts)
    text += fmt::format("  the start value takes part: {}\n", meaning.start_counts->text());
  return text;
}

namespace {

std::string indented(std::string text, std::size_t columns) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::string out(columns, ' ');
  for (const char c : text) {
    out += c;
    if (c == '\n') out += std::string(columns, ' ');
  }
  return out;
}

std::string describe_rule(const spec::Rule& rule) {
  std::string text = fmt::format("  {}{}: {} {}\n      {}\n", rule.id, words(rule.applies), rule.says,
                                 words(rule.from), rule.require->text());
  if (rule.unless) text += fmt::format("      unless {}\n", rule.unless->text());
  for (const spec::Promise& promise : rule.broken)
    text += fmt::format("      broken: {}{}\n", words(promise), words(promise.applies));
  return text;
}

/// Empty: the document says nothing of gradients.
std::string describe_gradient(const spec::GradientPolicy& policy) {
  std::string text;
  for (const spec::Rule& rule : policy.rules) text += describe_rule(rule);
  if (policy.ties == spec::GradientPolicy::Ties::even)
    text += fmt::format("  values that tie get equal shares {}\n", words(policy.from));
  if (policy.collisions == spec::GradientPolicy::Collisions::or_each)
    text += fmt::format("  assigned values that collide: one gets the cotangent, or each gets all of it {}\n",
                        words(policy.from));
  return text.empty() ? text : "\ngradient\n" + text;
}

std::string describe_refusal(const spec::Refusal& refusal) {
  std::string text = fmt::format("  a refused call leaves {} as it was {}\n",
                                 fmt::join(refusal.unchanged, " and "), words(refusal.from));
  if (refusal.unless) text += fmt::format("      unless {}\n", refusal.unless->text());
  return text;
}

std::string describe_doubt(const spec::OpSpec& op, const spec::Doubt& doubt) {
  std::string text = fmt::format("  {}: {}\n", doubt.id, doubt.about);
  if (doubt.witness) text += fmt::format("      witness: {}\n", spec::to_string(*doubt.witness));
  const auto results = spec::run_doubt(op, doubt);
  for (std::size_t i = 0; i < results.size(); ++i) {
    text += fmt::format("      - {} {}\n", results[i].says, words(doubt.claims[i].from));
    if (!results[i].text.empty()) text += fmt::format("        gives {}\n", results[i].text);
  }
  return text + fmt::format("      resolved: {}\n", doubt.resolution);
}

}  // namespace

std::string describe(const spec::OpSpec& op) {
  std::string text = fmt::format("{}: {}\n({})\n\ndocuments\n", op.api, op.summary, op.file);
  for (const spec::DocumentRef& document : op.documents)
    text += fmt::format(
        "  {:8} {} {} {}{}\n", document.id, document.title, document.versions, document.url,
        document.seed.empty()
            ? ""
            : (document.url.empty() ? " founding document " : ", founding document ") + document.seed);
  if (!op.deprecated.says.empty())
    text += fmt::format("  deprecated: {} {}\n", op.deprecated.says, words(op.deprecated.from));
  if (!op.platforms.devices.empty())
    text += fmt::format("  promises nothing of other devices than {}: {} {}\n",
                        fmt::join(op.platforms.devices, ", "), op.platforms.says, words(op.platforms.from));
  text += "\nrules\n";
  for (const spec::Rule& rule : op.rules) text += describe_rule(rule);
  text += "\nmeaning\n" + describe_meaning(op.meaning);
  if (!op.refusal.unchanged.empty()) text += "\nrefusal\n" + describe_refusal(op.refusal);
  text += describe_gradient(op.gradient);
  if (!op.formulas.empty()) text += "\nformulas, as printed\n";
  for (const spec::Formula& formula : op.formulas)
    text += fmt::format("  {}{} {}\n{}\n", formula.id, formula.wrong ? " (wrong: see its doubt)" : "",
                        words(formula.from), indented(formula.reads, 6));
  if (!op.doubts.empty()) text += "\ndoubts\n";
  for (const spec::Doubt& doubt : op.doubts) text += describe_doubt(op, doubt);
  if (!op.omits.empty()) text += "\nnot covered\n";
  for (const spec::Omission& omitted : op.omits)
    text += fmt::format("  - {}{}\n", omitted.says,
                        omitted.because.empty() ? "" : fmt::format(" ({})", omitted.because));
  return text;
}

}  // namespace scatterproof::runner
