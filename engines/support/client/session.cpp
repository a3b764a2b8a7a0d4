// SPDX-License-Identifier: Apache-2.0
// A conversation with one worker process, from start to stop or to its first misbehaviour.
#include "session.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scatterproof::engines::protocol {
namespace {

// After its channel closes, a process has this long to end.
constexpr std::chrono::milliseconds ending{2000};
// Waking a thread, or being woken by an answer, takes longer than writing one. So answers may gather while
// more than a few are due.
constexpr std::chrono::microseconds gathering{50};
constexpr std::size_t few = 8;
constexpr std::size_t excerpt_size = 160;

/// The start of a bad reply, printable.
std::string excerpt(std::string_view line) {
  std::string text;
  for (const char c : line.substr(0, excerpt_size)) {
    if (c >= ' ' && c <= '~')
      text += c;
    else
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return line.size() > excerpt_size ? text + "..." : text;
}

double in_seconds(std::chrono::milliseconds time) { return std::chrono::duration<double>(time).count(); }

std::string start_failure(const Breach& breach) {
  const auto quoted = [](const std::string& tail) { return tail.empty() ? "" : "; it printed: " + tail; };
  const auto& what = breach.outcome.what;
  if (const auto* crash = std::get_if<spec::Crashed>(&what)) {
    const std::string how = crash->signal != 0 ? fmt::format("signal {}", crash->signal)
                                               : fmt::format("exit status {}", crash->exit_status);
    return fmt::format("the worker ended ({}) before it answered start{}", how, quoted(crash->stderr_tail));
  }
  if (const auto* late = std::get_if<spec::TimedOut>(&what))
    return fmt::format("the worker did not answer start within {:g} s{}", late->seconds,
                       quoted(late->stderr_tail));
  const auto& garbled = std::get<spec::Garbled>(what);
  return "the worker's answer to start: " + garbled.what + quoted(garbled.stderr_tail);
}

}  // namespace

std::variant<std::unique_ptr<Session>, std::string> Session::start(const WorkerOptions& options) {
  auto spawned = options.channel < 0 ? WorkerProcess::spawn(options) : WorkerProcess::attach(options.channel);
  if (auto* failure = std::get_if<std::string>(&spawned)) return *failure;
  std::unique_ptr<Session> session(new Session(std::get<0>(std::move(spawned))));
  session->cpu_per_batch_ = options.cpu_per_batch;
  const auto seq = session->next_seq_++;
  session->process_->post(start_message(seq));
  auto received = session->receive(Clock::now(), options.start_timeout);
  if (const auto* breach = std::get_if<Breach>(&received)) return start_failure(*breach);
  const auto& reply = std::get<Received>(received).reply;
  if (reply.seq() != seq)
    return fmt::format("the worker's answer to start has seq {}, not {}", reply.seq(), seq);
  auto greeting = reply.greeting();
  if (const auto* fault = std::get_if<Fault>(&greeting)) return fault->what;
  session->greeting_ = std::get<Greeting>(std::move(greeting));
  return session;
}

Taken Session::taken() const {
  return {.threads = greeting_.info.threads,
          .omits = greeting_.omits,
          .shares = greeting_.shares,
          .gradients = greeting_.info.gradients,
          .tangents = greeting_.info.tangents,
          .second_order = greeting_.info.second_order};
}

std::int64_t Session::send(std::span<const CallRequest> requests) {
  const auto seq = next_seq_;
  const auto last = seq + static_cast<std::int64_t>(requests.size());
  next_seq_ = last + 2;
  if (cpu_per_batch_.count() > 0) process_->allow_cpu(cpu_per_batch_);
  process_->post(run_message(seq, requests, taken()));
  // A run without calls: what the worker adds to its answers unasked comes before it answers this.
  process_->post(run_message(last + 1, {}, {}));
  process_->send_at_once();
  return seq;
}

Answers Session::answers(std::int64_t seq, std::span<const CallRequest> requests) {
  const auto last = seq + static_cast<std::int64_t>(requests.size());
  Answers answers;
  auto asked = Clock::now();
  const auto breach = [&answers](Breach what) {
    answers.breach = std::move(what);
    return std::move(answers);
  };
  for (std::size_t i = 0; i < requests.size() + 2; ++i) {
    const bool is_call = i < requests.size();
    auto received = receive(asked, requests[std::min(i, requests.size() - 1)].timeout,
                            i + few < requests.size() ? gathering : std::chrono::microseconds{0});
    if (auto* bad = std::get_if<Breach>(&received)) return breach(std::move(*bad));
    const auto& [reply, payload] = std::get<Received>(received);
    const auto due = is_call ? seq + 1 + static_cast<std::int64_t>(i) : i == requests.size() ? seq : last + 1;
    if (reply.seq() != due) return breach(out_of_turn(reply.seq(), due, seq, last));
    if (is_call) {
      const spec::GradientQuestion* question = requests[i].gradient;
      const std::size_t gradients = question && greeting_.info.answers(*question) ? question->answers() : 0;
      auto outcome = settled(reply.outcome(*requests[i].call, gradients, payload));
      if (auto* bad = std::get_if<Breach>(&outcome)) return breach(std::move(*bad));
      answers.outcomes.push_back(std::get<spec::Outcome>(std::move(outcome)));
      count_answer(requests[i].call->api);
      if (reply.ends()) {
        answers.ended = true;
        return answers;
      }
    } else if (auto fault = reply.end_of_run(due == seq ? requests.size() : 0)) {
      return breach(garbled(fault->what));
    }
    asked = Clock::now();
  }
  return answers;
}

void Session::count_answer(const std::string& api) {
  if (answered_.empty() || answered_.back().first != api) {
    const auto known = std::ranges::find(answered_, api, &std::pair<std::string, std::size_t>::first);
    if (known == answered_.end())
      answered_.emplace_back(api, 0);
    else
      std::rotate(known, known + 1, answered_.end());
  }
  ++answered_.back().second;
}

std::string Session::answered_words() const {
  constexpr std::size_t most_named = 6;
  std::string words;
  for (std::size_t i = 0; i < std::min(answered_.size(), most_named); ++i) {
    const auto& [api, calls] = answered_[answered_.size() - 1 - i];
    words += i > 0 ? fmt::format(", {} of {}", calls, api) : fmt::format("{} calls of {}", calls, api);
  }
  return answered_.size() > most_named ? words + ", .." : words;
}

std::variant<spec::Outcome, Breach> Session::prepare(const spec::Call& call, const TimingOptions& options,
                                                     std::chrono::milliseconds timeout) {
  const auto seq = next_seq_;
  next_seq_ += 2;
  if (cpu_per_batch_.count() > 0) process_->allow_cpu(cpu_per_batch_);
  const auto asked = Clock::now();
  process_->post(prepare_message(seq, call, options));
  auto answer = receive_due(seq + 1, asked, timeout);
  if (auto* breach = std::get_if<Breach>(&answer)) return std::move(*breach);
  const auto& [reply, payload] = std::get<Received>(answer);
  const std::size_t gradients = options.gradient ? options.gradient->answers() : 0;
  auto outcome = settled(reply.outcome(call, gradients, payload));
  if (auto* breach = std::get_if<Breach>(&outcome)) return std::move(*breach);
  auto end = receive_due(seq, asked, timeout);
  if (auto* breach = std::get_if<Breach>(&end)) return std::move(*breach);
  if (auto fault = std::get<Received>(end).reply.end_of_run(1)) return garbled(fault->what);
  return std::get<spec::Outcome>(std::move(outcome));
}

std::variant<double, spec::Outcome, Breach> Session::repeat(std::int64_t times,
                                                            std::chrono::milliseconds timeout) {
  const auto seq = next_seq_++;
  if (cpu_per_batch_.count() > 0) process_->allow_cpu(cpu_per_batch_);
  process_->post(repeat_message(seq, times));
  return receive_seconds(seq, timeout);
}

std::variant<double, spec::Outcome, Breach> Session::loop(std::span<const CallRequest> requests,
                                                          std::int64_t rounds,
                                                          std::chrono::milliseconds timeout) {
  const auto seq = next_seq_;
  next_seq_ += 1 + static_cast<std::int64_t>(requests.size());
  if (cpu_per_batch_.count() > 0) process_->allow_cpu(cpu_per_batch_);
  process_->post(loop_message(seq, requests, rounds, taken()));
  return receive_seconds(seq, timeout);
}

/// What a request takes that was posted just now, as the worker measured it.
std::variant<double, spec::Outcome, Breach> Session::receive_seconds(std::int64_t seq,
                                                                     std::chrono::milliseconds timeout) {
  const auto asked = Clock::now();
  auto answer = receive_due(seq, asked, timeout);
  if (auto* breach = std::get_if<Breach>(&answer)) return std::move(*breach);
  const std::chrono::duration<double> waited = Clock::now() - asked;
  auto said = std::get<Received>(answer).reply.repeated();
  if (auto* fault = std::get_if<Fault>(&said)) return garbled(fault->what);
  if (auto* outcome = std::get_if<spec::Outcome>(&said)) {
    auto failed = settled(std::move(*outcome));
    if (auto* breach = std::get_if<Breach>(&failed)) return std::move(*breach);
    return std::get<spec::Outcome>(std::move(failed));
  }
  const double seconds = std::get<double>(said);
  if (seconds > waited.count())
    return garbled(fmt::format("the worker says that its executions took {:g} s, and answered after {:g} s",
                               seconds, waited.count()));
  return seconds;
}

std::optional<Breach> Session::forget(std::chrono::milliseconds timeout) {
  const auto seq = next_seq_++;
  process_->post(forget_message(seq));
  auto answer = receive_due(seq, Clock::now(), timeout);
  if (auto* breach = std::get_if<Breach>(&answer)) return std::move(*breach);
  if (auto fault = std::get<Received>(answer).reply.done("forget")) return garbled(fault->what);
  return {};
}

std::variant<DocumentText, Breach> Session::document(const std::string& name,
                                                     std::chrono::milliseconds timeout) {
  const auto seq = next_seq_++;
  process_->post(document_message(seq, name));
  auto answer = receive_due(seq, Clock::now(), timeout);
  if (auto* breach = std::get_if<Breach>(&answer)) return std::move(*breach);
  auto document = std::get<Received>(answer).reply.document();
  if (const auto* fault = std::get_if<Fault>(&document)) return garbled(fault->what);
  return std::get<DocumentText>(std::move(document));
}

std::vector<std::string> Session::end() {
  if (std::exchange(ended_, true)) return {};
  if (process_->is_own()) return process_->end();
  process_->outwait_limits();
  const auto seq = next_seq_++;
  process_->post(stop_message(seq));
  for (bool stopped = false; !stopped;) {
    const auto received = receive(Clock::now(), std::chrono::hours(1));
    const auto* answer = std::get_if<Received>(&received);
    stopped = !answer || answer->reply.seq() == seq;  // what follows a malformed one is unknown
  }
  return {};
}

Leave Session::stop(std::chrono::milliseconds grace) {
  Leave leave;
  process_->outwait_limits();  // destructors call this, and the grace bounds it
  process_->find_strays();
  const auto seq = next_seq_++;
  process_->post(stop_message(seq));
  auto received = receive(Clock::now(), grace);
  if (const auto* breach = std::get_if<Breach>(&received)) {
    leave.fault = "no answer to stop: " + to_string(breach->outcome);
  } else {
    const auto& reply = std::get<Received>(received).reply;
    const auto fault = reply.done("stop");
    if (reply.seq() != seq)
      leave.fault = fmt::format("a reply to seq {} came after everything was answered", reply.seq());
    else if (fault)
      leave.fault = fault->what;
  }
  if (leave.fault.empty() && process_->is_own() &&
      process_->await_line(Clock::now() + grace) == WaitResult::ready)
    leave.fault = "a reply came after stop: " + excerpt(process_->take_line());
  leave.ended = process_->await_end(grace);
  return leave;
}

std::variant<Session::Received, Breach> Session::receive(Clock::time_point asked,
                                                         std::chrono::milliseconds timeout,
                                                         std::chrono::microseconds pause) {
  const auto deadline = asked + timeout;
  switch (process_->await_line(deadline, pause)) {
    case WaitResult::ready:
      break;
    case WaitResult::closed:
      return ended_or_closed();
    case WaitResult::late:
      return silence(timeout);
    case WaitResult::overlong:
      return garbled("a reply's line is too long: " + excerpt(process_->inbox()));
  }
  const std::string line = process_->take_line();
  auto parsed = Reply::parse(line);
  if (const auto* fault = std::get_if<Fault>(&parsed)) return garbled(fault->what + ": " + excerpt(line));
  auto& reply = std::get<Reply>(parsed);
  Payload payload = make_payload(reply.bytes());
  std::size_t came = 0;
  switch (process_->await_bytes(*payload, came, deadline)) {
    case WaitResult::ready:
      break;
    case WaitResult::closed:
      return ended_or_closed();
    default:
      return garbled(fmt::format("half a reply: {} bytes announced, {} received within {:g} s", reply.bytes(),
                                 came, in_seconds(timeout)));
  }
  return Received{std::move(reply), std::move(payload)};
}

std::variant<Session::Received, Breach> Session::receive_due(std::int64_t seq, Clock::time_point asked,
                                                             std::chrono::milliseconds timeout) {
  auto received = receive(asked, timeout);
  if (const auto* answer = std::get_if<Received>(&received); answer != nullptr && answer->reply.seq() != seq)
    return garbled(fmt::format("a reply to seq {} where seq {} was due", answer->reply.seq(), seq));
  return received;
}

std::variant<spec::Outcome, Breach> Session::settled(std::variant<spec::Outcome, Fault> said) {
  if (const auto* fault = std::get_if<Fault>(&said)) {
    Breach own = garbled(fault->what);
    own.certain = true;
    return own;
  }
  auto& outcome = std::get<spec::Outcome>(said);
  auto* crashed = std::get_if<spec::Crashed>(&outcome.what);
  if (crashed == nullptr) return std::move(outcome);
  process_->await_end(ending);
  crashed->stderr_tail = process_->last_words();
  return Breach{.outcome = std::move(outcome), .certain = true};
}

Breach Session::ended_or_closed() {
  const auto end = process_->await_end(ending);
  if (!end) return garbled("the worker closed its channel but did not exit");
  return {.outcome = {spec::Crashed{end->signal, end->exit_status, process_->last_words()}, 0}};
}

Breach Session::silence(std::chrono::milliseconds timeout) {
  const auto part = process_->inbox();
  if (!part.empty()) return garbled(fmt::format("half a reply, then silence: {}", excerpt(part)));
  return {.outcome = {spec::TimedOut{in_seconds(timeout), process_->last_words()}, 0}};
}

Breach Session::garbled(std::string what) {
  return {.outcome = {spec::Garbled{std::move(what), process_->last_words()}, 0}};
}

/// `last` is the last call's seq. The run's own is due after it, and then that of the run without calls.
Breach Session::out_of_turn(std::int64_t seq, std::int64_t due, std::int64_t run, std::int64_t last) {
  const bool calls_are_due = due > run && due <= last;
  if (seq == run && calls_are_due)
    return garbled(fmt::format("the run ended without an answer to seq {}", due));
  if (seq < run || seq >= next_seq_) {
    Breach breach = garbled(fmt::format("a reply to seq {}, which was never sent", seq));
    breach.stale = seq < run;
    return breach;
  }
  if (seq > last || (calls_are_due && seq > due))
    return garbled(fmt::format("a reply to seq {} where seq {} was due", seq, due));
  Breach breach = garbled(fmt::format("seq {} was answered twice", seq));
  if (seq > run) breach.repeated = static_cast<std::size_t>(seq - run - 1);
  return breach;
}

std::variant<std::unique_ptr<Session>, std::string> new_session(const WorkerOptions& options) {
  auto session = Session::start(options);
  return std::holds_alternative<std::string>(session) ? Session::start(options) : std::move(session);
}

}  // namespace scatterproof::engines::protocol
