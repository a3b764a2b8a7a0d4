// SPDX-License-Identifier: Apache-2.0
// An engine that hands its calls to a worker in batches.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

#include "blame.hpp"
#include "namespace.hpp"
#include "scatterproof/engines/client/worker.hpp"
#include "scatterproof/engines/kernels/plain_call.hpp"
#include "scatterproof/spec/core/work_limit.hpp"
#include "session.hpp"

namespace scatterproof::engines {
namespace {

using namespace protocol;

constexpr std::size_t calls_per_batch = 64;
constexpr std::size_t bytes_per_batch = std::size_t{64}
                                        << 20;  // calls with large tensors travel in smaller batches
// The capacity of a channel on a system with the usual 208 KiB for each end: a batch up to this size can be
// handed over without a thread that waits for room.
constexpr std::size_t bytes_at_once = std::size_t{192} << 10;
constexpr std::chrono::milliseconds document_timeout{30'000};

/// Bytes of tensors that go with a request.
std::size_t payload_of(const CallRequest& request) {
  std::size_t size = payload_size(*request.call);
  if (!request.gradient) return size;
  for (const spec::Tensor& tangent : request.gradient->tangents) size += tangent.storage().size();
  return size + request.gradient->cotangent.storage().size();
}

class WorkerEngine final : public Engine {
 public:
  explicit WorkerEngine(WorkerOptions options) : options_(std::move(options)), info_(options_.info) {}
  ~WorkerEngine() override { WorkerEngine::stop(); }

  std::string stop() override;
  std::optional<spec::Crashed> bad_end() const override { return bad_end_; }
  std::unique_ptr<Engine> twin(std::uint8_t pattern) const override;
  std::string start() override { return started() ? std::string() : unavailable_; }
  const EngineInfo& info() const override {
    declared();
    return info_;
  }
  Support supports(const spec::Call& call) const override;
  PreparedCall prepare(const spec::Call& call, const TimingOptions& options) override;
  std::variant<double, spec::Outcome> bare_loop(std::span<const CallRequest> requests,
                                                std::int64_t rounds) override;
  DocumentText document(const std::string& name) override;
  bool works_elsewhere() const override { return true; }
  std::size_t batch_size() const override { return calls_per_batch; }

 private:
  class Timed;
  class Handed;

  std::vector<spec::Outcome> do_run(std::span<const CallRequest> requests) override;
  std::unique_ptr<PendingCalls> do_begin(std::span<const CallRequest> requests) override;
  template <class Work>
  void dropping_if_given_up(Work work);
  void run_in_batches(std::span<const CallRequest> requests, std::span<spec::Outcome> outcomes);
  std::size_t run_batch(std::span<const CallRequest> requests, std::span<spec::Outcome> outcomes);
  std::size_t take_answers(std::int64_t seq, std::span<const CallRequest> requests,
                           std::span<spec::Outcome> outcomes, bool is_behind = false);
  bool takes_at_once(std::span<const CallRequest> requests) const;
  bool started() const;
  bool is_old() const;
  std::string words_on_strays() const;
  void declare(const Greeting& greeting) const;
  /// Whether the worker has declared itself, now or before. From then on nothing that this guards changes, so
  /// that several threads may ask for it.
  bool declared() const { return declared_ || started(); }
  void drop();
  Support takes_dtypes(const spec::Call& call) const;
  Support is_covered(const spec::Call& call) const;

  WorkerOptions options_;
  // The process starts on first use, and that use is const.
  mutable bool declared_ = false;
  mutable EngineInfo info_;
  mutable OfferedKernels kernels_;
  mutable std::shared_ptr<Session> session_;  // timed calls keep theirs
  mutable Clock::time_point started_at_;
  mutable Clock::duration start_took_{};
  mutable std::string unavailable_;
  std::vector<Handed*> begun_;  // batches, in the order in which they were begun
  std::optional<spec::Crashed> bad_end_;
  std::vector<std::string> strays_;  // processes that workers put out of their group and left running
};

std::string WorkerEngine::stop() {
  if (session_) {
    const Leave leave = session_->stop();
    if (leave.ended && (leave.ended->signal != 0 || leave.ended->exit_status != 0))
      bad_end_ = spec::Crashed{.signal = leave.ended->signal,
                               .exit_status = leave.ended->exit_status,
                               .stderr_tail = session_->last_words()};
  }
  drop();
  std::vector<std::string> wrong;
  if (bad_end_)
    wrong.push_back(fmt::format("the worker of {} did not end well: {}", info_.name,
                                to_string(spec::Outcome{*bad_end_, 0})));
  if (!strays_.empty()) wrong.push_back(words_on_strays());
  return fmt::format("{}", fmt::join(wrong, "; "));
}

std::string WorkerEngine::words_on_strays() const {
  constexpr std::size_t shown = 3;
  const auto named = std::span(strays_).first(std::min(shown, strays_.size()));
  return fmt::format("{} left {} running outside its process group when its worker ended: {}{}; killed",
                     info_.name,
                     strays_.size() == 1 ? "a process" : fmt::format("{} processes", strays_.size()),
                     fmt::join(named, ", "), strays_.size() > shown ? ", ..." : "");
}

/// glibc fills what it allocates and frees with bytes that follow from this variable.
std::unique_ptr<Engine> WorkerEngine::twin(std::uint8_t pattern) const {
  if (options_.channel >= 0) return nullptr;
  WorkerOptions options = options_;
  options.environment.emplace_back("MALLOC_PERTURB_", std::to_string(pattern));
  return std::make_unique<WorkerEngine>(std::move(options));
}

/// Ends the worker: the next call gets a new one.
void WorkerEngine::drop() {
  if (session_)
    for (std::string& stray : session_->end()) strays_.push_back(std::move(stray));
  session_.reset();
}

/// When no worker starts, every later call gets the same reason.
bool WorkerEngine::started() const {
  if (session_ || !unavailable_.empty()) return session_ != nullptr;
  const auto asked = Clock::now();
  auto session = new_session(options_);
  started_at_ = Clock::now();
  start_took_ = started_at_ - asked;
  if (auto* reason = std::get_if<std::string>(&session)) {
    unavailable_ = std::move(*reason);
    return false;
  }
  session_ = std::get<std::unique_ptr<Session>>(std::move(session));
  if (!declared_) declare(session_->greeting());
  return true;
}

bool WorkerEngine::is_old() const {
  return session_ && options_.channel < 0 &&
         Clock::now() - started_at_ > options_.life_in_starts * start_took_;
}

void WorkerEngine::declare(const Greeting& greeting) const {
  info_ = greeting.info;
  info_.declared = std::exchange(info_.name, options_.info.name);
  kernels_ = greeting.kernels;
  if (info_.apis.empty() && options_.specs) info_.apis = apis_of(kernels_, *options_.specs);
  declared_ = true;
}

Support WorkerEngine::supports(const spec::Call& call) const {
  if (!declared()) return {};  // running it shows why
  if (std::ranges::find(info_.apis, call.api) == info_.apis.end())
    return {false, fmt::format("{} does not offer {}", info_.name, call.api)};
  const Support support = takes_dtypes(call);
  return support.yes ? is_covered(call) : support;
}

Support WorkerEngine::is_covered(const spec::Call& call) const {
  const spec::OpSpec* spec = options_.specs ? options_.specs->find(call.api) : nullptr;
  if (kernels_.empty() || !spec) return {};
  const auto answer = plain_call(*spec, call, kernels_, 1);
  const auto* reason = std::get_if<std::string>(&answer);
  return reason ? Support{false, *reason} : Support{};
}

Support WorkerEngine::takes_dtypes(const spec::Call& call) const {
  for (const auto& [name, value] : call.arguments) {
    const auto* tensor = std::get_if<spec::Tensor>(&value);
    if (tensor != nullptr &&
        std::ranges::find(info_.dtypes, spec::name(tensor->dtype())) == info_.dtypes.end())
      return {false,
              fmt::format("{} takes no {} tensors ({})", info_.name, spec::name(tensor->dtype()), name)};
  }
  return {};
}

std::vector<spec::Outcome> WorkerEngine::do_run(std::span<const CallRequest> requests) {
  std::vector<spec::Outcome> outcomes(requests.size());
  dropping_if_given_up([&] { run_in_batches(requests, outcomes); });
  return outcomes;
}

template <class Work>
void WorkerEngine::dropping_if_given_up(Work work) {
  try {
    work();
  } catch (const spec::LimitReached&) {  // the worker is in the middle of something
    drop();
    throw;
  }
}

void WorkerEngine::run_in_batches(std::span<const CallRequest> requests, std::span<spec::Outcome> outcomes) {
  for (std::size_t done = 0; done < requests.size();) {
    if (requests[done].is_over_limit()) {
      outcomes[done++] = skipped_outcome();
      continue;
    }
    std::size_t count = 0;
    std::size_t bytes = 0;
    while (done + count < requests.size() && count < calls_per_batch &&
           !requests[done + count].is_over_limit()) {
      bytes += payload_of(requests[done + count]);
      if (count > 0 && bytes > bytes_per_batch) break;
      ++count;
    }
    done += run_batch(requests.subspan(done, count), outcomes.subspan(done, count));
  }
}

/// Runs up to the first call that goes wrong, settles that one, and returns how many calls are settled.
std::size_t WorkerEngine::run_batch(std::span<const CallRequest> requests,
                                    std::span<spec::Outcome> outcomes) {
  if (session_ && session_->broke_off()) drop();  // that is the fault of no call that is still to come
  if (is_old()) {
    session_->stop();
    drop();
  }
  if (!started()) {
    std::ranges::fill(outcomes, spec::Outcome{spec::Unavailable{unavailable_}, 0});
    return requests.size();
  }
  return take_answers(session_->send(requests), requests, outcomes);
}

/// Takes the answers to a batch that was sent, up to the first call that goes wrong. Returns how many calls
/// are settled: none if the worker broke off before the first answer and the batch was `is_behind` another,
/// as the worker may never have begun it.
std::size_t WorkerEngine::take_answers(std::int64_t seq, std::span<const CallRequest> requests,
                                       std::span<spec::Outcome> outcomes, bool is_behind) {
  Answers answers = session_->answers(seq, requests);
  std::ranges::move(answers.outcomes, outcomes.begin());
  if (answers.ended) drop();  // a device was lost: no call that comes is to blame
  if (!answers.breach) return answers.outcomes.size();
  if (is_behind && answers.outcomes.empty() && !answers.breach->certain) {
    drop();
    return 0;
  }
  const std::string before = session_->answered_words();
  drop();
  const std::size_t at = std::min(answers.outcomes.size(), requests.size() - 1);
  Blame(options_, strays_).settle(requests, at, *std::move(answers.breach), before, outcomes);
  if (requests[at].hang_limit) requests[at].hang_limit->saw(outcomes[at]);
  return at + 1;
}

/// A batch that the worker has, or will get after the batch begun before, while the caller does something
/// else. Threads that wait for a worker's answers cost more than they save: with the worker and the caller
/// there is one more of them than a small machine has cores. So only a batch that does not fit into the
/// worker's channel has one.
class WorkerEngine::Handed final : public PendingCalls {
 public:
  Handed(WorkerEngine& engine, std::span<const CallRequest> requests)
      : engine_(engine), requests_(requests), limits_(spec::WorkLimit::of_this_thread()) {
    hand_over(engine.begun_.empty() ? nullptr : engine.begun_.back());
    engine.begun_.push_back(this);
  }
  Handed(const Handed&) = delete;
  Handed& operator=(const Handed&) = delete;
  ~Handed() override {
    if (thread_.valid()) thread_.wait();
    if (has_worker()) engine_.drop();  // its answers will not be read: it cannot be asked anything else
    std::erase(engine_.begun_, this);
  }

  std::vector<spec::Outcome> finish() override {
    std::vector<spec::Outcome> outcomes = thread_.valid() ? thread_.get() : finish_here();
    with_.reset();
    std::erase(engine_.begun_, this);
    if (!engine_.begun_.empty()) engine_.begun_.front()->hand_over(nullptr);
    return outcomes;
  }

 private:
  bool has_worker() const { return !with_.expired(); }

  /// Gives the worker the batch, unless it already has it. `before` is the batch whose outcomes come first;
  /// null: none.
  void hand_over(const Handed* before) {
    if (has_worker() || requests_.empty() || (before && !before->has_worker())) return;
    if (engine_.takes_at_once(requests_) && (before || !engine_.session_->broke_off())) {
      with_ = engine_.session_;
      is_behind_ = before != nullptr;
      seq_ = engine_.session_->send(requests_);
    } else if (!before) {
      thread_ = std::async(std::launch::async, [this] {
        const spec::WorkLimit limit(limits_);
        return engine_.do_run(requests_);
      });
    }
  }

  std::vector<spec::Outcome> finish_here() {
    std::vector<spec::Outcome> outcomes(requests_.size());
    engine_.dropping_if_given_up([&] {
      const std::size_t done = has_worker() ? engine_.take_answers(seq_, requests_, outcomes, is_behind_) : 0;
      engine_.run_in_batches(requests_.subspan(done), std::span(outcomes).subspan(done));
    });
    return outcomes;
  }

  WorkerEngine& engine_;
  std::span<const CallRequest> requests_;
  const spec::WorkLimit* limits_;
  std::weak_ptr<Session> with_;  ///< as long as a worker lives that has it
  std::int64_t seq_ = 0;
  bool is_behind_ = false;  ///< it was sent when the worker had another one
  std::future<std::vector<spec::Outcome>> thread_;
};

std::unique_ptr<Engine::PendingCalls> WorkerEngine::do_begin(std::span<const CallRequest> requests) {
  return std::make_unique<Handed>(*this, requests);
}

/// Whether a worker is there that can have these calls, and the system takes them without waiting.
bool WorkerEngine::takes_at_once(std::span<const CallRequest> requests) const {
  if (requests.size() > calls_per_batch || !session_ || is_old()) return false;
  if (std::ranges::any_of(requests, &CallRequest::is_over_limit)) return false;
  std::size_t bytes = 0;
  for (const CallRequest& request : requests) bytes += payload_of(request);
  return bytes <= bytes_at_once;
}

/// A call that the worker holds prepared, as long as the worker lives.
class WorkerEngine::Timed final : public TimedCall {
 public:
  explicit Timed(WorkerEngine& engine) : engine_(engine), session_(engine.session_) {}
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  ~Timed() override {
    const auto session = session_.lock();
    if (!session) return;
    try {
      if (session->forget(engine_.options_.timing_timeout)) engine_.drop();
    } catch (const spec::LimitReached&) {
      engine_.drop();
    }
  }

  std::variant<double, spec::Outcome> repeat(std::int64_t times) override {
    const auto session = session_.lock();
    if (!session) return spec::Outcome{spec::Unavailable{"the worker that held the call has ended"}, 0};
    auto answer = session->repeat(times, engine_.options_.timing_timeout);
    if (auto* breach = std::get_if<Breach>(&answer)) {
      engine_.drop();
      return std::move(breach->outcome);
    }
    if (const auto* seconds = std::get_if<double>(&answer)) return *seconds;
    return std::get<spec::Outcome>(std::move(answer));
  }

 private:
  WorkerEngine& engine_;
  std::weak_ptr<Session> session_;
};

PreparedCall WorkerEngine::prepare(const spec::Call& call, const TimingOptions& options) {
  if (session_ && session_->broke_off()) drop();
  if (!started()) return {{spec::Unavailable{unavailable_}, 0}, nullptr};
  if (!session_->greeting().times) return Engine::prepare(call, options);
  Support support = takes_dtypes(call);
  if (options.gradient && !info().gradients) support = {false, "it has no gradients"};
  if (payload_size(call) > static_cast<std::size_t>(largest_payload))
    support = {false, "tensors of more than a GiB do not go through the worker protocol"};
  if (!support.yes) return {{spec::Unsupported{support.reason}, 0}, nullptr};
  auto answer = session_->prepare(call, options, options_.timing_timeout);
  if (auto* breach = std::get_if<Breach>(&answer)) {
    drop();
    return {std::move(breach->outcome), nullptr};
  }
  PreparedCall prepared{std::get<spec::Outcome>(std::move(answer)), nullptr};
  if (std::holds_alternative<spec::Produced>(prepared.outcome.what))
    prepared.timed = std::make_unique<Timed>(*this);
  return prepared;
}

std::variant<double, spec::Outcome> WorkerEngine::bare_loop(std::span<const CallRequest> requests,
                                                            std::int64_t rounds) {
  if (session_ && session_->broke_off()) drop();
  if (!started()) return spec::Outcome{spec::Unavailable{unavailable_}, 0};
  if (!session_->greeting().loops) return Engine::bare_loop(requests, rounds);
  auto answer = session_->loop(requests, rounds, options_.timing_timeout);
  if (auto* breach = std::get_if<Breach>(&answer)) {
    drop();
    return std::move(breach->outcome);
  }
  if (const auto* seconds = std::get_if<double>(&answer)) return *seconds;
  return std::get<spec::Outcome>(std::move(answer));
}

DocumentText WorkerEngine::document(const std::string& name) {
  if (session_ && session_->broke_off()) drop();
  if (!started()) return {.text = {}, .missing = unavailable_};
  if (!session_->greeting().documents) return Engine::document(name);
  auto answer = session_->document(name, document_timeout);
  if (auto* text = std::get_if<DocumentText>(&answer)) return std::move(*text);
  drop();
  return {.text = {}, .missing = to_string(std::get<Breach>(answer).outcome)};
}

}  // namespace

std::unique_ptr<Engine> make_worker_engine(WorkerOptions options) {
  assert(!options.command.empty() || options.channel >= 0);
  return std::make_unique<WorkerEngine>(std::move(options));
}

const std::string& why_workers_are_not_apart() { return protocol::namespace_refusal(); }

}  // namespace scatterproof::engines
