// SPDX-License-Identifier: MIT
// fftconv/executor.hpp — carries out plans, and owns the resources for that.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

/// Times and memory of a run.
struct RunReport {
  std::string instruction_set;  ///< of the inner loops: results may differ in the last bits
  std::string fft;              ///< library of the transforms and its version; empty: sums
  double seconds = 0;
  std::vector<std::pair<std::string, double>> stages;  ///< name, wall seconds
  std::int64_t peak_memory_bytes = 0;                  ///< counted buffers
  std::int64_t peak_device_bytes = 0;                  ///< the same on a GPU
};

class Executor {
 public:
  virtual ~Executor() = default;

  /// Returns the machine that plans for this executor are made for.
  [[nodiscard]] virtual Machine machine() const = 0;

  /// Returns executors that may run this plan at the same time, each called by one thread and each
  /// for one device. Returns only this one if its runs use all devices. This executor owns them.
  /// @throws CudaError
  [[nodiscard]] virtual std::vector<Executor*> at_once(const Plan& plan) {
    static_cast<void>(plan);
    return {this};
  }

  /// Computes the sum of all terms. Passes every finished box to `epilogue` and writes the result
  /// to `sink`, which it does not close. Returns when everything is written.
  /// @throws PlanError    the plan does not belong to these terms or this executor, or needs more
  ///                      memory than context.memory has.
  /// @throws CudaError    the plan is for a GPU that is not this executor's, or the GPU fails.
  /// @throws Interrupted  context.stop was set; the sink is left unclosed.
  virtual RunReport run(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue,
                        Sink& sink, const RunContext& context) = 0;
};

}  // namespace synthoscope::fftconv
