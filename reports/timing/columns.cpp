// SPDX-License-Identifier: Apache-2.0
#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "text.hpp"
#include "words.hpp"

namespace scatterproof::reports {
namespace {

constexpr double good_share = 0.7;  // of the floor: what is left is mostly what the model leaves out

TableEntry entry_of(const std::optional<Ratio>& ratio) {
  if (!ratio) return {};
  return {ratio_words(*ratio), ratio->significant ? Tone::plain : Tone::unsure};
}

/// Above 1 this record is the faster one.
TableEntry contest(const Ratio& ratio) {
  TableEntry entry = entry_of(ratio);
  if (ratio.is_fact() && !ratio.sides_differ()) entry.tone = ratio.by_minimum > 1 ? Tone::good : Tone::bad;
  return entry;
}

TableEntry share(const std::optional<Ratio>& ratio) {
  if (!ratio) return {};
  if (!ratio->significant) return {percent_words(*ratio), Tone::unsure};
  return {percent_words(*ratio),
          ratio->is_fact() && ratio->by_minimum >= good_share ? Tone::good : Tone::plain};
}

TableEntry interquartile(const Figures& f) {
  if (!f.times) return {};
  const bool steady = spec::is_steady(*f.times);
  return {
      fmt::format("{}{:.0f} %", steady ? "" : unsure_mark, 100 * f.times->interquartile / f.times->median),
      steady ? Tone::plain : Tone::unsure};
}

TableEntry time(const Figures& f, double spec::Spread::*which) {
  return {f.times ? time_words((*f.times).*which) : ""};
}

TableEntry scaled(const std::optional<double>& value, double scale) {
  return {value ? digits(scale * *value) : ""};
}

template <class Visit>
void each_line(const Benchmark& benchmark, Visit visit) {
  for (const RowRecords& block : benchmark.blocks)
    for (const Figures& line : block.lines) visit(line);
}

std::vector<std::string> peers_in(const Benchmark& benchmark) {
  std::set<std::string> found;
  each_line(benchmark, [&](const Figures& line) {
    for (const auto& [peer, ratio] : line.against) found.insert(peer);
  });
  return in_order(found);
}

template <class List, class Matches>
auto& find_or_add(List& list, Matches matches, const typename List::value_type& made) {
  const auto found = std::find_if(list.begin(), list.end(), matches);
  return found == list.end() ? list.emplace_back(made) : *found;
}

auto key_of(const RowRecords& block) {
  return std::tie(block.row, block.in_place, block.bytes_algorithmic, block.bytes_floor);
}

/// Native engines first, each engine's lines by number of threads. Then, of the timed lines of an engine with
/// one number of threads, only the fastest stays: a peer is judged by its best call.
void arrange(std::vector<Figures>& lines) {
  std::vector<std::string> engines;
  for (const Figures& line : lines) {
    const auto same = [&](const std::string& engine) { return engine == line.record.engine; };
    find_or_add(engines, same, line.record.engine);
  }
  const auto rank = [&](const Figures& line) {
    const std::string& engine = line.record.engine;
    const auto met = std::find(engines.begin(), engines.end(), engine) - engines.begin();
    return std::tuple(is_peer(engine), met, line.record.threads, line.times ? line.times->minimum : 0);
  };
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const Figures& a, const Figures& b) { return rank(a) < rank(b); });
  const auto slower_call = [](const Figures& a, const Figures& b) {
    return a.times && b.times && a.record.engine == b.record.engine && a.record.threads == b.record.threads;
  };
  lines.erase(std::unique(lines.begin(), lines.end(), slower_call), lines.end());
}

/// The last word of `torch.Tensor.scatter_add_`: the engine says the rest.
std::string short_call(const std::string& call) { return call.substr(call.rfind('.') + 1); }

}  // namespace

std::vector<TableColumn> columns_for(const Benchmark& benchmark) {
  using F = const Figures&;
  std::vector<TableColumn> columns = {
      {"threads", [](F f) -> TableEntry { return {std::to_string(f.record.threads)}; }, 9},
      {"min", [](F f) { return time(f, &spec::Spread::minimum); }, 9},
      {"median", [](F f) { return time(f, &spec::Spread::median); }, 5},
      {"IQR", interquartile, 8},
      {"ns per\nlookup", [](F f) { return scaled(f.seconds_per_lookup, 1e9); }, 2},
      {"GB/s", [](F f) { return scaled(f.bytes_per_second, 1e-9); }, 6},
      {"of\nfloor", [](F f) { return share(f.share_of_floor); }, 9},
      {"of\ncopy", [](F f) { return share(f.share_of_copy); }, 1},
      {"vs 1\nthread", [](F f) { return entry_of(f.scaling); }, 4},
      {"det/\nfast", [](F f) { return entry_of(f.deterministic); }, 3},
  };
  for (const std::string& peer : peers_in(benchmark))
    columns.push_back({"vs\n" + printable(peer),
                       [peer](F f) {
                         const auto found = f.against.find(peer);
                         return found == f.against.end() ? TableEntry{} : contest(found->second);
                       },
                       7});
  columns.push_back({"call", [](F f) -> TableEntry { return {printable(short_call(f.record.call))}; }, 0});
  std::erase_if(columns, [&](const TableColumn& column) {
    bool silent = true;
    each_line(benchmark, [&](F f) { silent = silent && column.entry(f).text.empty(); });
    return silent;
  });
  return columns;
}

std::string on_one_line(std::string head) {
  const std::size_t newline = head.find('\n');
  if (newline == std::string::npos) return head;
  const bool joined = newline > 0 && head[newline - 1] == '/';
  return head.replace(newline, 1, joined ? "" : " ");
}

std::vector<Benchmark> benchmarks_in(const std::vector<Figures>& all) {
  std::vector<Benchmark> benchmarks;
  for (const Figures& one : all) {
    const spec::TimingRecord& r = one.record;
    Benchmark& benchmark = find_or_add(
        benchmarks, [&](const Benchmark& b) { return b.name == r.benchmark; },
        Benchmark{.name = r.benchmark});
    const RowRecords made{.row = r.row,
                          .in_place = r.in_place,
                          .bytes_algorithmic = r.bytes_algorithmic,
                          .bytes_floor = r.bytes_floor};
    RowRecords& block = find_or_add(
        benchmark.blocks, [&](const RowRecords& b) { return key_of(b) == key_of(made); }, made);
    block.lines.push_back(one);
  }
  for (Benchmark& benchmark : benchmarks)
    for (RowRecords& block : benchmark.blocks) arrange(block.lines);
  return benchmarks;
}

std::string short_row(const Benchmark& benchmark, const RowRecords& block) {
  const std::string prefix = benchmark.name + "/";
  return printable(block.row.starts_with(prefix) ? block.row.substr(prefix.size()) : block.row);
}

std::vector<Line> machine_lines(const spec::MachineRecord& machine) {
  std::set<int> threads;
  for (const auto* rates :
       {&machine.copy_bytes_per_second, &machine.random_lines_per_second, &machine.random_updates_per_second})
    for (const auto& [n, rate] : *rates) threads.insert(n);
  const auto at = [](const std::map<int, double>& rates, int n, double scale,
                     const char* unit) -> TableEntry {
    const auto found = rates.find(n);
    return {found == rates.end() ? "" : digits(scale * found->second) + unit};
  };
  std::vector<Line> lines = {{{"threads"}, {"copy"}, {"random reads"}, {"random updates"}}};
  for (const int n : threads)
    lines.push_back({{std::to_string(n)},
                     at(machine.copy_bytes_per_second, n, 1e-9, " GB/s"),
                     at(machine.random_lines_per_second, n, 1e-6, " M lines/s"),
                     at(machine.random_updates_per_second, n, 1e-6, " M lines/s")});
  return lines;
}

std::vector<Skew> native_by_severity(std::vector<Skew> skews) {
  std::erase_if(skews, [](const Skew& skew) { return is_peer(skew.worst.engine); });
  const auto severity = [](const Skew& skew) { return skew.beyond_floors.value_or(skew.factor).by_minimum; };
  std::stable_sort(skews.begin(), skews.end(),
                   [&](const Skew& a, const Skew& b) { return severity(a) > severity(b); });
  return skews;
}

std::vector<Line> skew_lines(const std::vector<Skew>& skews) {
  std::vector<Line> lines = {{{"engine"},
                              {"threads"},
                              {"operation"},
                              {"dtype, index"},
                              {"lookups"},
                              {"table"},
                              {"worst"},
                              {"best"},
                              {"skew"},
                              {"beyond floors"}}};
  for (const Skew& skew : skews) {
    const spec::TimingRecord& r = skew.worst;
    lines.push_back({{printable(r.engine)},
                     {std::to_string(r.threads)},
                     {printable(r.operation) + (r.in_place ? "" : " out of place")},
                     {printable(r.dtype + ", " + r.index_dtype)},
                     {count_words(static_cast<double>(r.lookups))},
                     {size_words(static_cast<double>(r.table_bytes))},
                     {printable(r.distribution)},
                     {printable(skew.best.distribution)},
                     entry_of(skew.factor),
                     entry_of(skew.beyond_floors)});
  }
  return lines;
}

std::string untimed(const spec::TimingRecord& record) {
  std::string note = record.note.substr(0, record.note.find('\n'));
  if (record.verdict == "pass" && note.empty()) note = "not timed";
  return printable(record.verdict == "pass" ? note
                   : note.empty()           ? record.verdict
                                            : record.verdict + ": " + note);
}

}  // namespace scatterproof::reports
