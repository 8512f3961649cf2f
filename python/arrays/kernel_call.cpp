// SPDX-License-Identifier: MIT
#include "python/arrays/kernel_call.hpp"
#include "python/session/remembered.hpp"

namespace synthoscope::python {

Allowed::Allowed(const Asked& asked, double seconds) {
  constexpr double kAloneSeconds = 2e-4;
  const Allowance usual = usual_allowance();
  threads = asked.workers.value_or(seconds < kAloneSeconds ? 1 : usual.threads);
  exceeds_cores = threads > usual.threads;
  memory_bytes = asked.memory ? parse_bytes(*asked.memory) : usual.memory_bytes;
}

}  // namespace synthoscope::python
