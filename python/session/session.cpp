// SPDX-License-Identifier: MIT
#include "python/session/session.hpp"
#include <nanobind/stl/string.h>
#include <algorithm>
#include <utility>
#include "python/session/python_terms.hpp"

namespace synthoscope::python {

namespace nb = nanobind;

void ProgressBoard::begin(std::string_view stage, std::int64_t total) {
  const std::scoped_lock lock{mutex_};
  stage_ = stage;
  total_ = total;
  done_ = 0;
}

ProgressBoard::State ProgressBoard::state() const {
  const std::scoped_lock lock{mutex_};
  return {stage_, std::min(done_.load(), total_), total_};
}

void KeptLog::say(Severity severity, std::string_view sentence) {
  if (severity == Severity::detail) return;
  const std::scoped_lock lock{mutex_};
  said_.push_back({severity, std::string{sentence}});
}

std::vector<KeptLog::Said> KeptLog::take() {
  const std::scoped_lock lock{mutex_};
  return std::exchange(said_, {});
}

Session::Session(std::optional<int> workers, const std::optional<std::string>& memory,
                 nb::object progress)
    : pool_{workers.value_or(usual_allowance().threads)},
      memory_{memory ? parse_bytes(*memory) : usual_allowance().memory_bytes},
      progress_{std::move(progress)} {}

std::unique_lock<std::mutex> Session::take_turn() {
  std::unique_lock turn{turn_, std::defer_lock};
  {
    const nb::gil_scoped_release unlocked;
    turn.lock();
  }
  static_cast<void>(log_.take());
  return turn;
}

void Session::look() {
  if (progress_.is_none()) return;
  const ProgressBoard::State now = board_.state();
  if (now == shown_ || now.total == 0) return;
  shown_ = now;
  progress_(now.done, now.total, now.stage);
}

void Session::tell(const std::vector<KeptLog::Said>& said) {
  for (const auto& [severity, sentence] : said)
    nb::module_::import_("synthoscope._messages")
        .attr(severity == Severity::note ? "note" : "warn")(in_python_terms(sentence));
}

std::function<std::int64_t()> bytes_of_cuda(const jobs::GpuChoice& choice) {
  if (choice.gpus == "none") return [] { return std::int64_t{0}; };
  return [before = anonymous_bytes()] { return anonymous_bytes() - before; };
}

}  // namespace synthoscope::python
