// SPDX-License-Identifier: Apache-2.0
// One API's document, in the form the program executes: spec/data/ops/<framework>/*.yaml, loaded and checked.
// docs/formats/spec-language.md is the manual of the file format and of the expression language.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/combiner.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::spec {

namespace language {
class Expression;  // parsed and statically checked; language.hpp
class Program;     // a document's formula; language.hpp
}  // namespace language
namespace yaml {
class Node;  // yaml.hpp
}
using ExpressionPtr = std::shared_ptr<const language::Expression>;
using ProgramPtr = std::shared_ptr<const language::Program>;

/// A document that the spec represents.
struct DocumentRef {
  std::string id;  ///< short name used by `from:`
  std::string title;
  std::string framework;  ///< one of the schema's list; blog for the tutorial
  std::string versions;   ///< which releases it describes, as a range: ">=1.12", "1.11", ""
  std::string url;
  std::string seed;     ///< number of the founding document, such as `"002"`; may be empty
  std::string text;     ///< the name by which the framework's worker gives its text; may be empty
  std::string page;     ///< the name of a page on other calls too, which the user gives; may be empty
  std::string release;  ///< the release whose text the anchors were read in; empty without `text` and `page`

  /// What its text is called wherever texts are named; empty: it has none.
  const std::string& text_name() const { return !text.empty() ? text : !seed.empty() ? seed : page; }
};

/// A clause of a document's text, without the text (spec/documents).
struct Anchor {
  std::vector<int> numbers;  ///< where it stood in the text; several, when the text says it several times
  std::string words;         ///< its first three words
  std::string fingerprint;
  Position at;
};

/// As files write it: `12,40 Note that input#3f9a2c1b`.
std::string to_string(const Anchor& anchor);

/// Where a statement is made.
struct Source {
  std::string document;  ///< a DocumentRef id of the same spec
  std::string section;   ///< may be empty when there are clauses
  std::vector<Anchor> clauses = {};
  bool promises_error = false;    ///< a sentence there says that a call which breaks the rule fails
  std::vector<Source> also = {};  ///< further documents that say so
};

/// What the documents say and the spec does not cover.
struct Omission {
  std::string says;
  std::string because;  ///< `not behaviour` or `not yet`; empty: no clause says it
  Source from;
};

/// Which releases and devices a statement holds for; empty fields do not restrict. `since` <= version <
/// `until`.
struct Applies {
  std::string since;
  std::string until;
  std::string device;
};

/// What the document promises when a rule is broken.
struct Promise {
  enum class Kind { error, undefined, open } kind = Kind::open;
  std::vector<std::string> classes;  ///< exception classes named by the document; empty: any orderly refusal
  std::string native;   ///< the refusal kind a native engine must give: rank shape dtype index axis value
  bool always = false;  ///< of an error: it stands where rules are broken whose promise is none, too
  Applies applies;
};

enum class ArgumentKind { tensor, integer, boolean, scalar, tensor_or_scalar, choice, integers };

struct ArgumentDecl {
  std::string name;
  ArgumentKind kind = ArgumentKind::tensor;
  std::string type;                  ///< type variable of a tensor; empty: any dtype
  std::string list;                  ///< of an item of a list of tensors: the list's name; empty: it is none
  bool optional = false;             ///< may be absent (None); an item of a list only with all behind it
  std::optional<Argument> fallback;  ///< the default, when the document gives one
  std::vector<Argument> choices;     ///< of a choice: words or integers
  bool between = false;  ///< of a choice of integers: a call may also have one that lies between two of them
  std::string
      selects_with;  ///< of a selection, which is a choice of some, and may be any other one: the list of
                     ///< the arrays in it
  std::string rule;  ///< of a choice: the rule that any other value breaks; empty: a call with another
                     ///< value cannot be written
  Source from;       ///< what says that there is such an argument, and its default
  Position at;
};

struct TypeVariable {
  std::string name;
  std::vector<DType> dtypes;
};

/// One documented constraint on a call. Obeyed when `unless` holds or `require` holds.
struct Rule {
  std::string id;
  std::string says;  ///< the constraint in our own words
  Source from;
  ExpressionPtr require;
  ExpressionPtr unless;         ///< may be null
  std::vector<Promise> broken;  ///< the first whose Applies matches counts
  Applies applies;              ///< the rule itself may hold only for some releases or devices
  Position at;
};

struct Loop {
  std::string variable;
  ExpressionPtr domain;  ///< a tuple of sizes: the variable runs over its positions, row-major
};

/// The statement that defines an operator (docs/formats/spec-language.md §1.3).
struct Meaning {
  ExpressionPtr result_shape;
  std::string result_dtype_of;  ///< the argument whose dtype the result has
  ExpressionPtr start;          ///< an argument's name (its value cell by cell) or a number; null: every cell
                                ///< must be written
  std::vector<Loop> loops;
  ExpressionPtr where;                ///< the iterations that write; null: all
  ExpressionPtr at;                   ///< the result position that receives
  ExpressionPtr value;                ///< what it receives
  ExpressionPtr combine;              ///< evaluates to a word of Combiner
  ExpressionPtr start_counts;         ///< whether the start value takes part in a touched cell; null: true
  std::vector<std::string> in_place;  ///< arguments the API is documented to overwrite
  Position write_at;                  ///< where `write:` stands: for a meaning without a value
  Source from;

  bool overwrites(std::string_view argument) const {
    return std::ranges::find(in_place, argument) != in_place.end();
  }
};

/// A formula as the document prints it, proved equal to `meaning`.
struct Formula {
  std::string id;
  ExpressionPtr when;  ///< null: always
  std::string reads;   ///< the text as printed
  ProgramPtr program;
  Source from;
  bool wrong =
      false;  ///< known to contradict the meaning: its doubt says why, and it must differ on the witness
  Position at;
};

/// What the document leaves free.
struct Latitude {
  Collisions collisions = Collisions::any;
  Accumulate accumulate = Accumulate::any;
  IntegerMean integer_mean = IntegerMean::open;
  IntegerQuotient integer_quotient = IntegerQuotient::open;
  NanPolicy nan = NanPolicy::propagate;
  Source from;
};

/// What the document promises of calls that are refused.
struct Refusal {
  std::vector<std::string> unchanged;  ///< of `Meaning::in_place`: they stay as they were
  ExpressionPtr unless;                ///< calls for which that is not promised; may be null
  Source from;
};

/// What the document says of gradients. Where it says nothing, they follow from the meaning, and what
/// mathematics leaves free is free.
struct GradientPolicy {
  enum class Ties : std::uint8_t {
    free,  ///< values that tie for the extreme get any shares of the cotangent
    even   ///< they get equal shares
  };
  enum class Collisions : std::uint8_t {
    one,     ///< of assigned values that collide, the one that survives gets the cotangent
    or_each  ///< or, as the document says, each of them gets all of it
  };
  std::vector<Rule> rules;  ///< of calls that obey all others
  Ties ties = Ties::free;
  Collisions collisions = Collisions::one;
  Source from;  ///< of ties and collisions
};

/// The devices that the document lists: for other devices it promises nothing of its framework.
struct Platforms {
  std::vector<std::string> devices;  ///< as Target::device; empty: the document lists none
  std::string says;
  Source from;
};

/// That the document calls the API deprecated; empty `says`: it does not.
struct Deprecation {
  std::string says;
  Source from;
};

/// A contradiction, inside a document or between it and another text or a released behaviour.
struct Doubt {
  struct Claim {
    std::string says;
    Source from;
    std::string formula;           ///< id of a Formula executed on the witness; may be empty
    std::optional<Tensor> result;  ///< the result this claim gives on the witness
    bool refuses = false;          ///< this claim refuses the witness
    bool meaning = false;          ///< this claim is the spec's own meaning
  };
  std::string id;  ///< C05
  std::string about;
  std::vector<Claim> claims;
  std::string resolution;       ///< which claim the spec follows, and why
  std::optional<Call> witness;  ///< the smallest call on which the claims differ; absent: not about a result
  Position at;
};

/// How the API lowers to one canonical operation (scatterproof/engines/native/kernel.hpp). Each value is a
/// literal or comes from an argument, optionally through a table of words. The engines read it; the oracle
/// never does.
struct LoweredValue {
  std::string argument;  ///< empty: the literal
  std::vector<std::pair<std::string, std::string>>
      table;  ///< argument's word -> kernel's word; empty: as it is
  std::string literal;
};
struct KernelLowering {
  std::string op;                                            ///< scatter_elements ... ; empty: no kernel
  std::vector<std::pair<std::string, LoweredValue>> fields;  ///< data, axis, index, updates, combine, ...
  const LoweredValue* find(std::string_view key) const {
    for (const auto& [name, value] : fields)
      if (name == key) return &value;
    return nullptr;
  }
};

/// Another call with the same arguments and meaning: out of place, in place, or a method. In the library it
/// is a separate API.
struct Variant {
  std::string api;
  std::string python;                 ///< as OpSpec::python
  std::vector<std::string> in_place;  ///< arguments that this variant is documented to overwrite
  Source from;                        ///< what says that there is this variant
};

struct OpSpec {
  std::string api;
  std::string variant_of;  ///< the API whose spec this is a variant of; empty: the spec is its own
  std::string file;
  std::shared_ptr<const yaml::Node>
      row;                ///< its row of the table `apis:` of the file; null: the file has none
  std::string framework;  ///< of the first document that is a framework's own
  std::string summary;
  std::vector<DocumentRef> documents;
  std::vector<Omission> omits;
  std::vector<ArgumentDecl> arguments;
  std::vector<TypeVariable> types;
  std::vector<std::pair<std::string, ExpressionPtr>>
      lets;                 ///< names for rules, meaning and formulas, in order
  std::vector<Rule> rules;  ///< written ones, and those that types and choices imply
  Meaning meaning;
  std::vector<Formula> formulas;
  Latitude latitude;
  Refusal refusal;
  GradientPolicy gradient;
  Platforms platforms;
  Deprecation deprecated;
  std::vector<Doubt> doubts;
  KernelLowering kernel;
  KernelLowering
      family;  ///< how a call is said in its family, where no kernel covers the API; engines never read it
  std::string python;  ///< the call in Python, `torch.gather({input}, {dim}, {index})`; empty: not said
  std::vector<Variant> variants;

  /// The API whose spec it is: a variant's is another.
  const std::string& base_api() const { return variant_of.empty() ? api : variant_of; }
  /// The words of its family: the kernel entry's, or the family entry's.
  const KernelLowering& said() const { return kernel.op.empty() ? family : kernel; }
  const ArgumentDecl* argument(std::string_view name) const;
  const Rule* rule(std::string_view id) const;
  const Rule* any_rule(std::string_view id) const;  ///< of calls, or of their gradients
  const DocumentRef* document(std::string_view id) const;
  /// The values of an index tensor are places, not data: its type has integers or truth values (a mask) only.
  /// If that is the type of the result too, they decide more than what is written.
  bool is_index(const ArgumentDecl& declared) const;
};

/// The name of an argument in Python. A function of torch has the spec of a method, and calls its tensor
/// `input` instead of `self`.
std::string keyword_of(const OpSpec& spec, const std::string& argument);

/// The arguments of a call that have their documented default values: those that a caller may leave out.
std::vector<std::string> at_default(const OpSpec& spec, const Call& call);

/// The first item of a list of tensors that a call gives without the one before it; null: there is none. A
/// call with such an item cannot be written.
const ArgumentDecl* item_behind_gap(const OpSpec& spec, const Call& call);

/// Why the arrays of a selection (language/selection.hpp) are not those that are given; empty: they are.
std::string fault_of_selections(const OpSpec& spec, const Call& call);

/// The variant as a spec: the rules, types and meaning of `spec`. Its formulas, doubts and omissions stay
/// with `spec`. Its `meaning.from` is the sentence, in the first of its documents, that says that this
/// variant exists.
OpSpec as_variant(const OpSpec& spec, const Variant& variant);

/// Reads and checks one spec file: schema, then names, types and positions of every expression, then the
/// rules.
Result<OpSpec> load_op_spec(const std::string& path);
Result<OpSpec> load_op_spec_text(std::string file_name, std::string text);
/// The same for a file that may have a table `apis:` (docs/formats/yaml.md): a spec for each row.
Result<std::vector<OpSpec>> load_op_specs(const std::string& path);
Result<std::vector<OpSpec>> load_op_specs_text(std::string file_name, std::string text);

/// All specs of a folder tree and their variants, by api. Errors of all files together.
class SpecLibrary {
 public:
  static Result<SpecLibrary> load(const std::string& folder);
  explicit SpecLibrary(std::vector<OpSpec> specs);
  const OpSpec* find(std::string_view api) const;
  const std::vector<OpSpec>& all() const { return specs_; }  ///< sorted by api

 private:
  std::vector<OpSpec> specs_;
};

}  // namespace scatterproof::spec
