// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/fuzz/form_store.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "scatterproof/runner/files/replace_file.hpp"
#include "scatterproof/runner/files/state.hpp"
#include "scatterproof/spec/core/stable_hash.hpp"

namespace scatterproof::runner::fuzz {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using spec::CallForm;
using spec::Tensor;

constexpr std::size_t most_programs = 4;

/// Size and time of a file in nanoseconds; empty: it cannot be read.
std::string stamp_of(const std::string& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0) return "";
  return fmt::format("{} {} {}", about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

// ---- forms as CBOR. Forms have no layouts: their tensors are contiguous.

json to_json(const spec::Scalar& value) {
  return {static_cast<int>(value.kind()), value.is_integral() ? value.integer() : 0,
          value.is_integral() ? 0.0 : value.real(), value.imag()};
}

json to_json(const spec::Argument& argument) {
  if (const auto* tensor = std::get_if<Tensor>(&argument)) {
    const Tensor dense = tensor->contiguous();
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(dense.storage().data());
    std::vector<std::uint8_t> content(bytes, bytes + dense.storage().size());
    const bool zeros = std::ranges::all_of(content, [](std::uint8_t byte) { return byte == 0; });
    return {"tensor", static_cast<int>(dense.dtype()), dense.shape(),
            zeros ? json(nullptr) : json::binary(std::move(content))};
  }
  if (const auto* scalar = std::get_if<spec::Scalar>(&argument)) return {"scalar", to_json(*scalar)};
  if (const auto* word = std::get_if<std::string>(&argument)) return {"word", *word};
  if (const auto* list = std::get_if<spec::Shape>(&argument)) return {"list", *list};
  return {"none"};
}

json to_json(const spec::Call& call) {
  json arguments = json::array();
  for (const auto& [name, argument] : call.arguments) arguments.push_back({name, to_json(argument)});
  return {call.api, std::move(arguments), call.omitted};
}

json to_json(const spec::OpSpec& spec, const CallForm& form) {
  json index = json::array();
  for (const spec::IndexChoices& one : form.index)
    index.push_back({one.argument, one.lists, one.good, one.bad});
  return {to_json(form.call),
          form.broken ? form.broken - spec.rules.data() : -1,
          form.far,
          form.by_values,
          form.recheck,
          std::move(index),
          form.inside ? to_json(*form.inside) : json(nullptr)};
}

spec::Scalar scalar_of(const json& one) {
  switch (static_cast<spec::Scalar::Kind>(one.at(0).get<int>())) {
    case spec::Scalar::Kind::boolean:
      return spec::Scalar::of_bool(one.at(1).get<std::int64_t>() != 0);
    case spec::Scalar::Kind::integer:
      return spec::Scalar::of_int(one.at(1).get<std::int64_t>());
    case spec::Scalar::Kind::real:
      return spec::Scalar::of_real(one.at(2).get<double>());
    default:
      return spec::Scalar::of_complex(one.at(2).get<double>(), one.at(3).get<double>());
  }
}

spec::Argument argument_of(const json& one) {
  const auto kind = one.at(0).get<std::string>();
  if (kind == "tensor") {
    Tensor tensor(static_cast<spec::DType>(one.at(1).get<int>()), one.at(2).get<spec::Shape>());
    if (one.at(3).is_binary())
      std::ranges::copy(std::as_bytes(std::span(one.at(3).get_binary())), tensor.storage().begin());
    return tensor;
  }
  if (kind == "scalar") return scalar_of(one.at(1));
  if (kind == "word") return one.at(1).get<std::string>();
  if (kind == "list") return one.at(1).get<spec::Shape>();
  return spec::None{};
}

spec::Call call_of(const json& one) {
  spec::Call call{.api = one.at(0).get<std::string>(), .arguments = {}};
  for (const json& argument : one.at(1))
    call.arguments.emplace_back(argument.at(0).get<std::string>(), argument_of(argument.at(1)));
  call.omitted = one.at(2).get<std::vector<std::string>>();
  return call;
}

CallForm form_of(const spec::OpSpec& spec, const json& one) {
  CallForm form{.call = call_of(one.at(0))};
  form.call.api = spec.api;
  if (const auto rule = one.at(1).get<std::int64_t>(); rule >= 0)
    form.broken = &spec.rules.at(static_cast<std::size_t>(rule));
  form.far = one.at(2).get<bool>();
  form.by_values = one.at(3).get<bool>();
  form.recheck = one.at(4).get<bool>();
  for (const json& index : one.at(5))
    form.index.push_back({.argument = index.at(0).get<std::size_t>(),
                          .lists = index.at(1).get<std::vector<std::vector<std::int64_t>>>(),
                          .good = index.at(2).get<std::vector<std::uint32_t>>(),
                          .bad = index.at(3).get<std::vector<std::uint32_t>>()});
  if (one.at(6).is_null()) return form;
  form.inside = call_of(one.at(6));
  form.inside->api = spec.api;
  return form;
}

/// A line with the hash of what follows: a file that was cut off, or changed, is none.
std::string sealed(const std::string& content) {
  return fmt::format("{:016x}\n{}", spec::stable_hash(content), content);
}

std::optional<std::string> opened(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return {};
  std::string content = text.substr(end + 1);
  if (sealed(content) != text) return {};
  return content;
}

/// Empty: the spec's file cannot be read, as that of a spec in a test.
std::string file_of(const std::string& folder, const spec::OpSpec& spec, const std::string& key) {
  const std::string stamp = folder.empty() ? "" : stamp_of(spec.file);
  if (stamp.empty()) return "";
  const std::string name =
      fmt::format("{} {} {} {}", fs::absolute(spec.file).string(), stamp, spec.base_api(), key);
  const spec::TextHash hash = spec::hash_of(name);
  return fmt::format("{}/{:016x}{:016x}.cbor", folder, hash.first, hash.second);
}

/// Makes room for one more program.
void remove_old(const fs::path& folder) {
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> programs;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    programs.emplace_back(entry.last_write_time(ignored), entry.path());
  std::ranges::sort(programs, std::greater());
  for (std::size_t i = most_programs - 1; i < programs.size(); ++i)
    fs::remove_all(programs[i].second, ignored);
}

}  // namespace

std::shared_ptr<const FormStore> FormStore::of_user() {
  const std::string cache = cache_folder();
  return std::make_shared<const FormStore>(cache.empty() ? "" : cache + "/forms", "/proc/self/exe");
}

FormStore::FormStore(const std::string& folder, const std::string& program) {
  const std::string stamp = stamp_of(program);
  if (!folder.empty() && !stamp.empty())
    folder_ = fmt::format("{}/{:016x}", folder, spec::stable_hash(stamp));
}

std::optional<StoredForms> FormStore::read(const spec::OpSpec& spec, const std::string& key) const {
  const std::string path = file_of(folder_, spec, key);
  if (path.empty()) return {};
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  const auto content = opened({std::istreambuf_iterator<char>(file), {}});
  if (!content) return {};
  const json all = json::from_cbor(*content);
  StoredForms stored{.forms = {}, .any_reads_data = all.at(0), .any_compares_index = all.at(1)};
  for (const json& one : all.at(2)) stored.forms.push_back(form_of(spec, one));
  return stored;
}

void FormStore::write(const spec::OpSpec& spec, const std::string& key, const StoredForms& stored) const {
  const std::string path = file_of(folder_, spec, key);
  if (path.empty()) return;
  std::error_code failed;
  if (!fs::exists(folder_, failed)) {
    remove_old(fs::path(folder_).parent_path());
    fs::create_directories(folder_, failed);
  }
  json forms = json::array();
  for (const CallForm& form : stored.forms) forms.push_back(to_json(spec, form));
  const json all = {stored.any_reads_data, stored.any_compares_index, std::move(forms)};
  std::string content;
  json::to_cbor(all, content);
  replace_file(path, sealed(content));  // where it cannot be written, it is solved again
}

}  // namespace scatterproof::runner::fuzz
