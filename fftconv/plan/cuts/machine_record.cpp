// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/machine_record.hpp"
#include <algorithm>
#include <chrono>
#include <fstream>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/run/host_buffer.hpp"
#include "fftconv/fft/lane_functions.hpp"
#include "fftconv/plan/cuts/cost.hpp"
#include "fftconv/plan/cuts/machine_json.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr int kRecordFormat = 1;
constexpr int kTrials = 25;         // the best counts: other work only ever slows
constexpr int kTasksPerThread = 8;  // so that threads end together

/// A length inside every class, and a work of some milliseconds: what else the machine does misses
/// one trial or another.
constexpr std::array<std::int64_t, kLineClasses.size() + 1> kLengths{60, 288, 2048, 8192};
constexpr double kNanosecondsPerThread = 4e6;

/// Wall seconds of `work(task)` for all tasks, the best of several trials.
template <class Work>
double best_seconds(const RunContext& context, std::int64_t tasks, Work&& work) {
  double best = INFINITY;
  for (int trial = 0; trial < kTrials; ++trial) {
    context.stop.check();
    const auto start = std::chrono::steady_clock::now();
    context.pool.for_each(tasks, work);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::min(best, seconds.count());
  }
  return best;
}

/// Seconds of all cores over what line_cost predicts for one, for lines of `length`.
double line_factor(std::int64_t length, const RunContext& context) {
  const auto& kernels = *available_lane_functions<float>().front();
  const auto plan = plan_line<float>(length);
  const auto steps = steps_of(plan);
  const std::int64_t reals = length * 2 * kernels.lanes;
  std::vector<HostBuffer<float>> blocks;  // of every thread: a line's lanes in and out
  for (int thread = 0; thread < context.pool.threads(); ++thread) {
    blocks.emplace_back(context.memory, 2 * reals, "lines to measure");
    std::fill_n(blocks.back().data(), 2 * reals, 1.F);
  }
  const auto values = static_cast<double>(length * kernels.lanes);
  const double predicted = values * line_cost(length) * 1e-9;  // of one call
  const auto calls = std::max<std::int64_t>(
      1, std::llround(kNanosecondsPerThread * 1e-9 / predicted / kTasksPerThread));
  const std::int64_t tasks = std::int64_t{context.pool.threads()} * kTasksPerThread;
  const double seconds = best_seconds(context, tasks, [&](std::int64_t) {
    float* const in = blocks[static_cast<std::size_t>(TaskPool::slot())].data();
    for (std::int64_t call = 0; call < calls; ++call)
      kernels.forward(steps, {in}, {in + reals}, in + reals);
  });
  return seconds / (static_cast<double>(tasks * calls) * predicted);
}

double memory_rate(const RunContext& context) {
  constexpr std::int64_t kPiece = std::int64_t{2} << 20;
  const HostBuffer<std::byte> from{context.memory, kMeasuringBytes / 2, "memory to measure"},
      to{context.memory, kMeasuringBytes / 2, "memory to measure"};
  std::fill_n(from.data(), from.count(), std::byte{1});
  std::fill_n(to.data(), to.count(), std::byte{2});
  const double seconds = best_seconds(context, from.count() / kPiece, [&](std::int64_t piece) {
    std::copy_n(from.data() + piece * kPiece, kPiece, to.data() + piece * kPiece);
  });
  return static_cast<double>(2 * from.count()) / seconds;
}

}  // namespace

std::string processor_name() {
  std::ifstream file{"/proc/cpuinfo"};
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const auto at = line.find(": "); at != std::string::npos) return line.substr(at + 2);
  return "unknown";
}

void measure_processor(MachineRates& rates, const RunContext& context) {
  context.progress.begin("measure the machine", static_cast<std::int64_t>(kLengths.size()) + 1);
  rates.cores = context.pool.threads();
  rates.memory_bytes_per_second = memory_rate(context);
  context.progress.advance(1);
  for (std::size_t i = 0; i < kLengths.size(); ++i) {
    rates.line_factor[i] = line_factor(kLengths[i], context);
    context.progress.advance(1);
  }
}

std::string to_json(const MachineRecord& record) {
  return indented_text_of({{"format", kRecordFormat},
                           {"processor", record.processor},
                           {"rates", json_of(record.rates)}});
}

std::optional<MachineRecord> record_from_json(std::string_view text) try {
  const auto json = parse_json(text);
  if (whole_of(json.at("format")) != kRecordFormat) return std::nullopt;
  return MachineRecord{json.at("processor").get<std::string>(), rates_from(json.at("rates"))};
} catch (const Json::exception&) {
  return std::nullopt;
} catch (const InvalidInput&) {
  return std::nullopt;
}

}  // namespace synthoscope::fftconv
