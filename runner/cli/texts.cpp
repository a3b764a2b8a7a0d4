// SPDX-License-Identifier: Apache-2.0
#include "texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace scatterproof::runner::cli {
namespace {

constexpr std::size_t longest_document = std::size_t{8} << 20;  // as long as a worker's answer may be

spec::Result<AvailableText> read_document(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text;
  for (char part[1 << 16];
       text.size() <= longest_document && (in.read(part, sizeof part) || in.gcount() > 0);)
    text.append(part, static_cast<std::size_t>(in.gcount()));
  if (!in.eof() && text.size() <= longest_document)
    return spec::Error{.file = path, .what = "cannot read the document"};
  if (text.size() > longest_document)
    return spec::Error{.file = path, .what = "the document is larger than 8 MiB"};
  return AvailableText{.from = path, .text = std::move(text), .missing = {}};
}

}  // namespace

spec::Result<Texts> Texts::open(const std::vector<std::string>& files,
                                const std::vector<std::string>& engines, const spec::SpecLibrary& specs,
                                const engines::Places& places) {
  Texts texts(specs, places);
  texts.only_named_ = !engines.empty();
  std::vector<std::string> names;
  for (const spec::OpSpec& op : specs.all())
    for (const spec::DocumentRef& document : op.documents)
      if (std::string name = document.text_name(); !name.empty()) names.push_back(std::move(name));
  for (const std::string& given : files) {
    const std::size_t equals = given.find('=');
    if (equals == given.npos)
      return spec::Error{.what = fmt::format("invalid document '{}' for --document", given),
                         .hint = "use NAME=FILE, such as torch.gather=gather.txt"};
    const std::string name = given.substr(0, equals);
    if (std::ranges::find(names, name) == names.end())
      return spec::Error{
          .what = fmt::format("no spec has a document whose text is '{}'", name),
          .hint = spec::did_you_mean(name, names, "it is `text:`, `seed:` or `page:` of a document")};
    auto read = read_document(given.substr(equals + 1));
    if (!read) return read.errors();
    texts.files_[name] = std::move(read).value();
  }
  for (const std::string& name : engines) {
    auto engine = find_engine(name, specs, places);
    if (!engine) return engine.errors();
    const std::string missing = (*engine)->start();
    const std::string framework = (*engine)->info().framework;
    texts.sources_[framework] = {std::move(engine).value(), missing};
  }
  return texts;
}

spec::Result<Texts> Texts::open(const std::vector<std::string>& sources, const spec::SpecLibrary& specs,
                                const engines::Places& places) {
  std::vector<std::string> files;
  std::vector<std::string> engines;
  for (const std::string& one : sources) (one.find('=') == one.npos ? engines : files).push_back(one);
  auto texts = open(files, engines, specs, places);
  if (texts) texts.value().only_named_ = true;
  return texts;
}

Texts::Source& Texts::source_of(const std::string& framework) {
  const auto [found, is_new] = sources_.try_emplace(framework);
  Source& source = found->second;
  if (!is_new) return source;
  if (only_named_) {
    source.missing = fmt::format("no --engine is one of {}", framework);
    return source;
  }
  auto engine = find_engine(framework, *specs_, *places_);
  if (engine) {
    source.engine = std::move(engine).value();
    source.missing = source.engine->start();
  } else {
    source.missing = engine.errors().front().what;
  }
  return source;
}

AvailableText Texts::find(const spec::DocumentRef& document) {
  const std::string& name = document.text_name();
  if (const auto given = files_.find(name); given != files_.end()) return given->second;
  if (document.text.empty())
    return {.from = {}, .text = {}, .missing = fmt::format("--document {}=FILE gives it", name)};
  Source& source = source_of(document.framework);
  const bool installed = source.engine != nullptr;
  if (!source.missing.empty()) return {.from = {}, .text = {}, .missing = source.missing, .due = installed};
  auto [text, missing] = source.engine->document(name);
  const bool lacks = !missing.empty();
  return {.from = source.engine->info().name,
          .text = std::move(text),
          .missing = std::move(missing),
          .due = lacks};
}

}  // namespace scatterproof::runner::cli
