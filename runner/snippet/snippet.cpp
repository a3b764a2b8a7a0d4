// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/snippet/snippet.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "literals.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/core/sharing.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::snippet {
namespace {

using spec::Argument;
using spec::Tensor;

spec::Error cannot(const std::string& what, const std::string& hint = {}) {
  return {.what = what, .hint = hint};
}

bool is_row_major(const Tensor& tensor) { return tensor.numel() == 0 || spec::has_contiguous_layout(tensor); }

std::string dtype_text(const Tensor& tensor, const PythonSyntax& syntax) {
  return syntax.dtypes.at(std::string(name(tensor.dtype())));
}

/// A flat list of numbers as a tensor.
std::string flat_text(const Tensor& tensor, const std::string& list, const PythonSyntax& syntax) {
  return filled(syntax.tensor, {.dtype = dtype_text(tensor, syntax), .values = list});
}

/// A view of a storage, which is an expression, as a pattern writes it. The comment says what it holds.
std::string view_text(const Tensor& tensor, const std::string& storage, const std::string& pattern) {
  const auto element = static_cast<std::int64_t>(size_of(tensor.dtype()));
  spec::Shape byte_strides = tensor.strides();
  for (std::int64_t& stride : byte_strides) stride *= element;
  return filled(pattern, {.shape = python_tuple(tensor.shape()),
                          .strides = python_tuple(tensor.strides()),
                          .byte_strides = python_tuple(byte_strides),
                          .offset = std::to_string(tensor.offset()),
                          .byte_offset = std::to_string(tensor.offset() * element),
                          .storage = storage}) +
         "  # " + nested_lists(tensor);
}

/// The tensor as an expression. Precondition: the syntax has its dtype.
std::string tensor_text(const Tensor& tensor, const PythonSyntax& syntax) {
  if (tensor.numel() == 0)
    return filled(syntax.empty, {.dtype = dtype_text(tensor, syntax), .shape = python_tuple(tensor.shape())});
  if (is_row_major(tensor)) return flat_text(tensor, nested_lists(tensor), syntax);
  return view_text(tensor, flat_text(tensor, flat_storage({&tensor, 1}), syntax), syntax.strided);
}

/// The different views of the storage of an argument, which is the first of them.
std::vector<Tensor> views_of(const spec::Call& call, std::size_t owner) {
  std::vector<Tensor> views{std::get<Tensor>(call.arguments[owner].second)};
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (spec::shared_with(call, i) == owner)
      if (const auto& tensor = std::get<Tensor>(call.arguments[i].second); !same_view(tensor, views.front()))
        views.push_back(tensor);
  return views;
}

/// The name of the tensor of one dimension that a view is made of.
std::string storage_of(const std::string& argument) { return argument + "_storage"; }

/// The statement that makes the tensor of an argument, and what must be there before it.
std::string statement_text(const spec::Call& call, std::size_t argument, const PythonSyntax& syntax) {
  const auto& [own, value] = call.arguments[argument];
  const Tensor& tensor = std::get<Tensor>(value);
  const auto shared = spec::shared_with(call, argument);
  const std::size_t owner = shared.value_or(argument);
  const std::vector<Tensor> views = views_of(call, owner);
  if (shared && same_view(tensor, views.front()))
    return fmt::format("{} = {}\n", own, call.arguments[owner].first);
  if (views.size() == 1) return fmt::format("{} = {}\n", own, tensor_text(tensor, syntax));
  const std::string storage = storage_of(call.arguments[owner].first);
  return (shared ? "" : fmt::format("{} = {}\n", storage, flat_text(tensor, flat_storage(views), syntax))) +
         fmt::format("{} = {}\n", own, view_text(tensor, storage, syntax.strided));
}

/// The statement that makes what a function gets for an argument whose tensor it makes itself.
std::string base_text(const spec::Call& call, std::size_t argument, const PythonSyntax& syntax) {
  const auto& [own, value] = call.arguments[argument];
  const Tensor& tensor = std::get<Tensor>(value);
  const auto shared = spec::shared_with(call, argument);
  std::string base = shared ? storage_of(call.arguments[*shared].first)
                     : tensor.numel() == 0
                         ? filled(syntax.empty, {.dtype = dtype_text(tensor, syntax), .shape = "(0,)"})
                         : flat_text(tensor, flat_storage(views_of(call, argument)), syntax);
  return fmt::format("{} = {}\n", storage_of(own), base);
}

/// Precondition: the syntax has the tensors' dtypes.
std::string tensors_text(const spec::Call& call, const PythonSyntax& syntax) {
  std::string text;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (std::holds_alternative<Tensor>(call.arguments[i].second))
      text += syntax.view.empty() ? statement_text(call, i, syntax) : base_text(call, i, syntax);
  return text;
}

std::string argument_text(const std::string& name, const Argument& value) {
  if (std::holds_alternative<Tensor>(value)) return name;
  if (const auto* word = std::get_if<std::string>(&value)) return python(*word);
  if (const auto* number = std::get_if<spec::Scalar>(&value)) return python(*number);
  if (const auto* list = std::get_if<spec::Shape>(&value)) return fmt::format("[{}]", fmt::join(*list, ", "));
  return "None";
}

/// The items of a list of tensors that are given, as a tuple.
std::string list_text(const spec::OpSpec& op, const std::string& list, const spec::Call& call) {
  std::string text;
  for (const spec::ArgumentDecl& declared : op.arguments)
    if (declared.list == list && std::holds_alternative<Tensor>(*call.find(declared.name)))
      text += declared.name + ", ";
  if (text.find(' ') + 1 == text.size())
    text.pop_back();  // one alone keeps its comma
  else
    text.resize(text.size() - 2);
  return "(" + text + ")";
}

/// What stands between the brackets, with the arrays' names.
std::string selection_text(const spec::OpSpec& op, const spec::ArgumentDecl& selection,
                           const spec::Call& call) {
  std::string text = std::get<std::string>(*call.find(selection.name));
  std::size_t at = 0;
  for (const spec::ArgumentDecl& item : op.arguments)
    if (item.list == selection.selects_with && (at = text.find_first_of("$?", at)) != std::string::npos) {
      text.replace(at, text[at] == '$' ? 1 : text.find_first_not_of('?', at) - at, item.name);
      at += item.name.size();
    }
  return text;
}

/// Whether a keyword has the value that leaving it out means.
bool is_default(const spec::OpSpec& op, const std::string& name, const Argument& value) {
  const spec::ArgumentDecl* declared = op.argument(name);
  const Argument otherwise = declared && declared->fallback ? *declared->fallback : Argument();
  return argument_text(name, value) == argument_text(name, otherwise);
}

/// The spec's line with the arguments filled in, without keywords that have their default values.
std::string call_text(const spec::OpSpec& op, const spec::Call& call) {
  std::string form = op.python;
  for (const auto& [name, value] : call.arguments) {
    const std::string keyword = fmt::format(", {0}={{{0}}}", name);
    if (const std::size_t at = form.find(keyword); at != std::string::npos && is_default(op, name, value))
      form.erase(at, keyword.size());
  }
  std::string text;
  for (std::size_t at = 0; at < form.size(); ++at) {
    if (form[at] != '{') {
      text += form[at];
      continue;
    }
    const std::size_t close =
        form.find('}', at);  // the loader has checked that it exists, and the argument too
    const std::string name = form.substr(at + 1, close - at - 1);
    const Argument* value = call.find(name);
    const spec::ArgumentDecl* declared = op.argument(name);
    text += !value                                        ? list_text(op, name, call)
            : declared && !declared->selects_with.empty() ? selection_text(op, *declared, call)
                                                          : argument_text(name, *value);
    at = close;
  }
  return text;
}

/// What comes before the tensors; ends with a newline.
std::string setup_text(const spec::Call& call, const PythonSyntax& syntax) {
  std::string text = syntax.setup;
  for (const auto& [name, value] : call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&value))
      if (const auto other = syntax.setup_of.find(std::string(spec::name(tensor->dtype())));
          other != syntax.setup_of.end())
        text = other->second;
  if (!text.ends_with('\n')) text += '\n';
  return syntax.includes.empty() ? text : syntax.includes + "\n\n" + text + "\n";
}

std::string expected_text(const spec::Expectation& expectation) {
  if (std::holds_alternative<spec::Bag>(expectation.what)) return "a result by " + expectation.because.text();
  if (const auto* refusal = std::get_if<spec::RefusalExpected>(&expectation.what))
    return fmt::format(
        "{}, for {}",
        refusal->classes.empty() ? "an error" : fmt::format("{}", fmt::join(refusal->classes, " or ")),
        refusal->because.text());
  const auto& free = std::get<spec::Free>(expectation.what);
  return fmt::format("anything ({}): {}", free.undefined ? "undefined" : "not said", free.because.text());
}

std::string translation_text(const ObservedOutcome& seen) {
  return seen.stands_for.empty() ? "" : fmt::format("stands for: {}\n", seen.stands_for);
}

/// The comment at the top. `on`: the engine's name.
std::string summary_text(const spec::OpSpec& op, const std::string& on, const ObservedOutcome& seen,
                         const spec::Expectation& expectation) {
  const std::string expected =
      fmt::format("{}expected: {}{}\n", translation_text(seen),
                  seen.questions.empty() ? "" : "the derivative of ", expected_text(expectation));
  if (!seen.executed) return fmt::format("{} in {}, not executed\n{}", op.api, on, expected);
  return fmt::format("{} on {} {} ({}): {}\n{}got: {}\n{}", op.api, on, seen.engine.version,
                     seen.engine.device, name(seen.judgement.verdict), expected, to_string(seen.outcome),
                     with_causes(seen.judgement.explanation, seen.judgement.causes));
}

/// Python ends a line, and a comment, at more characters than a newline: a framework's message must not
/// become part of the script.
std::string as_comment(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::string comment = "# ";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      comment += "\n# ";
    else if ((byte < 0x20 && c != '\t') || byte == 0x7f)
      comment += fmt::format("\\x{:02x}", byte);
    else
      comment += c;
  }
  return comment + '\n';
}

/// The start of the spec's line if the call may overwrite an argument and its result is what it returns.
constexpr std::string_view returned = "result = ";

std::string without_assignment(const std::string& called) {
  return called.starts_with(returned) ? called.substr(returned.size()) : called;
}

/// What a function of the call's tensors gets for one of them.
std::string given_for(const std::string& argument, const PythonSyntax& syntax) {
  return syntax.view.empty() ? argument : storage_of(argument);
}

/// The call as a function of its tensors, or of what it makes them of.
std::string function_text(const spec::OpSpec& op, const spec::Call& call, const std::string& called,
                          const PythonSyntax& syntax) {
  std::vector<std::string> given;
  std::string views;
  for (const auto& [name, value] : call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&value)) {
      given.push_back(given_for(name, syntax));
      if (!syntax.view.empty())
        views += fmt::format("    {} = {}\n", name, view_text(*tensor, given.back(), syntax.view));
    }
  const bool is_statement = !op.meaning.in_place.empty() && !called.starts_with(returned);
  return fmt::format("\n\ndef call({}):\n{}    {}{}\n\n\n", fmt::join(given, ", "), views,
                     is_statement ? "" : "return ",
                     is_statement ? fmt::format("{}\n    return {}", called, op.meaning.in_place.front())
                                  : without_assignment(called));
}

/// Calls that function as the engine's form does. `kept`: the tensors that it overwrites are copies.
std::string call_of_function(const spec::OpSpec& op, const spec::Call& call, const PythonSyntax& syntax,
                             bool kept) {
  std::vector<std::string> given;
  for (const auto& [name, value] : call.arguments)
    if (std::holds_alternative<Tensor>(value))
      given.push_back(given_for(name, syntax) + (kept && op.meaning.overwrites(name) ? ".clone()" : ""));
  constexpr std::string_view place = "{function}";
  std::string function = syntax.function.empty() ? std::string(place) : syntax.function;
  function.replace(function.find(place), place.size(), "call");
  return fmt::format("{}({})", function, fmt::join(given, ", "));
}

std::string tangent_of(const std::string& argument) { return "tangent_of_" + argument; }

/// The statements that make the question's tensors.
std::string tensors_text(const spec::GradientQuestion& question, const PythonSyntax& syntax) {
  std::string text;
  if (!question.forward()) text = fmt::format("cotangent = {}\n", tensor_text(question.cotangent, syntax));
  for (std::size_t a = 0; a < question.tangents.size(); ++a)
    text += fmt::format("{} = {}\n", tangent_of(question.of[a]), tensor_text(question.tangents[a], syntax));
  return text;
}

/// The statements that ask the question, and the name of the answer.
struct Statements {
  const std::string& pattern;
  std::string_view answer;
};
Statements statements_for(const spec::GradientQuestion& question, const PythonSyntax& syntax) {
  if (question.second_order) return {syntax.second_order, "second_order"};
  return question.forward() ? Statements{syntax.tangent, "tangent"}
                            : Statements{syntax.gradient, "gradients"};
}

/// The code that asks the question and shows the answer.
std::string act_text(const spec::OpSpec& op, const spec::Call& call, const PythonSyntax& syntax,
                     const spec::GradientQuestion& question) {
  std::vector<std::string> sources, tangents;
  for (const std::string& name : question.of)
    sources.push_back(given_for(name, syntax)), tangents.push_back(tangent_of(name));
  const DerivativeParts parts{.called = call_of_function(op, call, syntax, true),
                              .sources = fmt::format("{}", fmt::join(sources, ", ")),
                              .tangents = fmt::format("{}", fmt::join(tangents, ", "))};
  const auto [pattern, answer] = statements_for(question, syntax);
  return filled(pattern, parts) + fmt::format("\nprint(result)\nprint({})\n", answer);
}

/// Whether the framework's Python has a way to ask each question.
bool can_ask(const PythonSyntax& syntax, const std::vector<spec::GradientQuestion>& questions) {
  return std::ranges::none_of(questions, [&](const spec::GradientQuestion& question) {
    return statements_for(question, syntax).pattern.empty();
  });
}

/// The call, and the code that shows its result.
std::string act_text(const spec::OpSpec& op, const std::string& called, const spec::Judgement& judgement) {
  const std::vector<std::string>& overwritten = op.meaning.in_place;
  if (called.starts_with(returned)) return fmt::format("{}\nprint(result)\n", called);
  if (overwritten.empty()) return fmt::format("{}{}\nprint(result)\n", returned, called);
  if (judgement.diagnosis.kind == spec::DiagnosisKind::changed_though_refused)
    return fmt::format("try:\n    {}\nfinally:\n    print({})\n", called, overwritten.front());
  return fmt::format("{}\nresult = {}\nprint(result)\n", called, overwritten.front());
}

/// The value that a call has for a keyword, which may be that of a list.
std::optional<std::string> keyword_text(const spec::OpSpec& op, const spec::Call& call,
                                        const std::string& keyword) {
  for (const auto& [name, value] : call.arguments) {
    const spec::ArgumentDecl* declared = op.argument(name);
    if (declared && declared->list == keyword) return list_text(op, keyword, call);
    if (spec::keyword_of(op, name) == keyword) return argument_text(name, value);
  }
  return std::nullopt;
}

constexpr std::int64_t most_elements = 400;  // of a tensor that a person reads

std::string constants_text(const std::string& body) {
  const auto has = [&](std::string_view word) { return body.find(word) != std::string::npos; };
  std::string text = has("inf") || has("nan") ? "from math import inf, nan\n" : "";
  if (has(nan_function))  // converted to a narrower dtype, it keeps its payload and becomes quiet
    text += fmt::format(
        "from struct import unpack\n\n\ndef {}(bits):\n    return unpack(\">d\", bits.to_bytes(8, "
        "\"big\"))[0]\n\n",
        nan_function);
  return text.empty() ? text : text + "\n";
}

/// Errors, if the syntax has not the dtypes of all tensors.
spec::Errors missing_dtypes(const spec::Call& call, const PythonSyntax& syntax) {
  for (const auto& [name, value] : call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&value);
        tensor && !syntax.dtypes.contains(std::string(spec::name(tensor->dtype()))))
      return {cannot(fmt::format("{} has no tensors of {}", syntax.name, spec::name(tensor->dtype())))};
  return {};
}

}  // namespace

spec::Result<std::string> make_snippet(const spec::OpSpec& op, const spec::Call& call,
                                       const PythonSyntax& syntax, const ObservedOutcome& seen) {
  if (op.python.empty())
    return cannot(fmt::format("the spec of {} does not say how it is called in Python", op.api),
                  fmt::format("write `python:` in {}", op.file));
  const auto expectation = expect(op, call, seen.engine);
  if (!expectation) return expectation.errors();

  if (auto errors = missing_dtypes(call, syntax); !errors.empty()) return errors;
  if (!can_ask(syntax, seen.questions)) return cannot(fmt::format("{} has no such derivatives", syntax.name));
  const std::string called = call_text(op, call);
  std::string body = tensors_text(call, syntax);
  for (const auto& question : seen.questions) body += tensors_text(question, syntax);
  if (!syntax.function.empty() || !seen.questions.empty()) body += function_text(op, call, called, syntax);
  for (const auto& question : seen.questions) body += act_text(op, call, syntax, question);
  if (seen.questions.empty())
    body += syntax.function.empty()
                ? act_text(op, called, seen.judgement)
                : fmt::format("result = {}\nprint(result)\n", call_of_function(op, call, syntax, false));
  std::string script = as_comment(summary_text(op, syntax.name, seen, *expectation));
  script += constants_text(body) + setup_text(call, syntax);
  return script + "\n" + body;
}

spec::Result<std::string> make_assertion(const spec::OpSpec& op, const spec::Call& call,
                                         const PythonSyntax& syntax, const CheckedFunction& function) {
  if (auto errors = missing_dtypes(call, syntax); !errors.empty()) return errors;
  if (std::ranges::any_of(spec::tensors_of(call),
                          [](const Tensor* one) { return one->numel() > most_elements; }))
    return cannot("the tensors are too large to be read");
  std::vector<std::string> arguments;
  for (const std::string& keyword : function.takes)
    if (const auto value = keyword_text(op, call, keyword))
      arguments.push_back(fmt::format("{}={}", keyword, *value));
  const std::string tensors = tensors_text(call, syntax);
  if (function.gradients)
    return constants_text(tensors) + setup_text(call, syntax) + "import scatterproof\n\n" + tensors +
           fmt::format("scatterproof.assert_gradients_allowed({}, {}, {})\n", function.name, python(op.api),
                       fmt::join(arguments, ", "));
  const bool overwrites = !op.meaning.in_place.empty();
  const std::string given =
      fmt::format(fmt::runtime(function.by_keyword ? "**{}" : "*{}.values()"), overwrites ? "own" : "call");
  const std::string called = fmt::format("{}({})", function.name, given);
  const std::string result =
      overwrites ? fmt::format("own[{}]", python(spec::keyword_of(op, op.meaning.in_place.front()))) : called;
  const std::string indent = function.by_chance ? "    " : "";
  return constants_text(tensors) + (overwrites ? "from copy import deepcopy\n\n" : "") +
         setup_text(call, syntax) + "import scatterproof\n\n" + tensors +
         fmt::format("call = dict({})\n", fmt::join(arguments, ", ")) +
         (function.by_chance ? "for _ in range(1000):  # it fails now and then\n" : "") +
         (overwrites ? fmt::format("{0}own = deepcopy(call)\n{0}{1}\n", indent, called) : "") +
         fmt::format("{}scatterproof.assert_allowed({}, {}, **call)\n", indent, result, python(op.api));
}

}  // namespace scatterproof::runner::snippet
