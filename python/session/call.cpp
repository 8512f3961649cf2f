// SPDX-License-Identifier: MIT
// python/session/call.cpp — common code of calls.
#include "python/session/call.hpp"
#include <algorithm>
#include <bit>
#include <chrono>
#include <tuple>
#include "core/base/recent.hpp"
#include "core/run/memory_budget.hpp"
#include "core/run/task_pool.hpp"

namespace synthoscope::python {

fftconv::Plan remembered_plan(const fftconv::Problem& problem, const fftconv::Machine& machine,
                              fftconv::Strategy wanted, bool* is_new) {
  using Question = std::tuple<fftconv::Strategy, fftconv::Problem, fftconv::Machine>;
  static Recent<Question, fftconv::Plan> plans{16};
  bool made = false;
  fftconv::Plan plan = plans.get({wanted, problem, machine}, [&] {
    made = true;
    return plan_convolution(problem, machine, wanted);
  });
  if (is_new) *is_new = made;
  return plan;
}

Allowance usual_allowance() {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point seen;
  static Allowance usual;
  if (const auto now = Clock::now();
      usual.memory_bytes == 0 || now - seen > std::chrono::seconds{1}) {
    const auto free = static_cast<std::uint64_t>(available_memory_bytes() / 10 * 7);
    const std::uint64_t step = std::max<std::uint64_t>(std::bit_floor(free) / 8, 1);
    usual = {available_threads(), static_cast<std::int64_t>(free / step * step)};
    seen = now;
  }
  return usual;
}

Allowed::Allowed(const Asked& asked, double seconds) {
  constexpr double kAloneSeconds = 2e-4;
  const Allowance usual = usual_allowance();
  threads = asked.workers.value_or(seconds < kAloneSeconds ? 1 : usual.threads);
  exceeds_cores = threads > usual.threads;
  memory_bytes = asked.memory ? parse_bytes(*asked.memory) : usual.memory_bytes;
}

}  // namespace synthoscope::python
