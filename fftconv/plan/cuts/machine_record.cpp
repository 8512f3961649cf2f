// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/machine_record.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/run/host_buffer.hpp"
#include "fftconv/fft/line_transform.hpp"
#include "fftconv/plan/cuts/cost.hpp"

namespace synthoscope::fftconv {
namespace {

/// A positive number that is no nonsense: predictions divide by it.
double rate_from(const Json& json) {
  const auto rate = json.get<double>();
  if (!(rate >= 1e-6 && rate <= 1e18))
    throw InvalidInput(fmt::format(
        "read the rates of a machine: {} is not a rate; measure the machine again", text_of(json)));
  return rate;
}

LineFactors factors_from(const Json& json) {
  LineFactors factors{};
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = rate_from(json.at(i));
  return factors;
}

/// A number of cores: rates are divided among them.
std::int64_t cores_from(const Json& json) {
  if (!json.is_number_integer() || json.get<std::int64_t>() < 1)
    throw InvalidInput(
        fmt::format("read the rates of a machine: {} is not a number of cores, from 1; measure the "
                    "machine again",
                    text_of(json)));
  return json.get<std::int64_t>();
}

struct DeviceRateRow {
  const char* key;
  double cuda::DeviceRates::*rate;
};

constexpr std::array kDeviceRateRows{
    DeviceRateRow{"pinned_up_bytes_per_second", &cuda::DeviceRates::pinned_up},
    DeviceRateRow{"pinned_down_bytes_per_second", &cuda::DeviceRates::pinned_down},
    DeviceRateRow{"pinned_both_bytes_per_second", &cuda::DeviceRates::pinned_both},
    DeviceRateRow{"ordinary_up_bytes_per_second", &cuda::DeviceRates::ordinary_up},
    DeviceRateRow{"ordinary_down_bytes_per_second", &cuda::DeviceRates::ordinary_down},
    DeviceRateRow{"copy_bytes_per_second", &cuda::DeviceRates::copy},
};

/// A number that some GPU has, now or in some years: plans are laid out by it.
std::int64_t count_from(const Json& json, std::int64_t most) {
  if (!json.is_number_integer() || json.get<std::int64_t>() < 1 || json.get<std::int64_t>() > most)
    throw InvalidInput(fmt::format(
        "read the properties of a GPU: {} is not a number from 1 to {}; make a new plan",
        text_of(json), most));
  return json.get<std::int64_t>();
}

constexpr int kRecordFormat = 2;
constexpr int kTrials = 25;         // the best counts: other work only ever slows
constexpr int kTasksPerThread = 8;  // so that threads end together

/// A length inside every class, and a work of some milliseconds: what else the machine does misses
/// one trial or another.
constexpr std::array<std::int64_t, LineFactors{}.size()> kLengths{60, 288, 2048, 8192};
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

/// Seconds of all cores over what line_cost predicts for one, for lines of `length` by `library`.
double line_factor(FftLibrary library, std::int64_t length, const RunContext& context) {
  const auto& functions = *available_lane_functions<float>().front();
  const auto transform = make_line_transform(library, length, functions);
  const std::int64_t reals = length * 2 * functions.lanes;
  std::vector<HostBuffer<float>> blocks;  // of every thread: a line's lanes in and out
  for (int thread = 0; thread < context.pool.threads(); ++thread) {
    blocks.emplace_back(context.memory, 2 * reals, "lines to measure");
    std::fill_n(blocks.back().data(), 2 * reals, 1.F);
  }
  const auto values = static_cast<double>(length * functions.lanes);
  const double predicted = values * line_cost(length) * 1e-9;  // of one call
  const auto calls = std::max<std::int64_t>(
      1, std::llround(kNanosecondsPerThread * 1e-9 / predicted / kTasksPerThread));
  const std::int64_t tasks = std::int64_t{context.pool.threads()} * kTasksPerThread;
  const double seconds = best_seconds(context, tasks, [&](std::int64_t) {
    float* const in = blocks[static_cast<std::size_t>(TaskPool::slot())].data();
    for (std::int64_t call = 0; call < calls; ++call)
      transform->forward({in}, {in + reals}, in + reals);
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

Json json_of(const MachineRates& r) {
  return {{"cores", r.cores},
          {"memory_bytes_per_second", r.memory_bytes_per_second},
          {"disk_read_bytes_per_second", r.disk_read_bytes_per_second},
          {"disk_write_bytes_per_second", r.disk_write_bytes_per_second},
          {"line_factor", r.line_factor},
          {"fftw_line_factor", r.fftw_line_factor}};
}

MachineRates rates_from(const Json& json) {
  MachineRates r;
  r.cores = cores_from(json.at("cores"));
  r.memory_bytes_per_second = rate_from(json.at("memory_bytes_per_second"));
  r.disk_read_bytes_per_second = rate_from(json.at("disk_read_bytes_per_second"));
  r.disk_write_bytes_per_second = rate_from(json.at("disk_write_bytes_per_second"));
  r.line_factor = factors_from(json.at("line_factor"));
  r.fftw_line_factor = factors_from(json.at("fftw_line_factor"));
  return r;
}

Json json_of(const cuda::DeviceRates& rates) {
  Json json = Json::object();
  for (const DeviceRateRow& row : kDeviceRateRows) json[row.key] = rates.*row.rate;
  return json;
}

cuda::DeviceRates device_rates_from(const Json& json) {
  cuda::DeviceRates rates;
  for (const DeviceRateRow& row : kDeviceRateRows) rates.*row.rate = rate_from(json.at(row.key));
  return rates;
}

Json json_of(const Gpu& gpu) {
  return {{"name", gpu.name},
          {"capability", gpu.capability},
          {"shared_bytes", gpu.limits.shared_bytes},
          {"threads", gpu.limits.threads},
          {"registers", gpu.limits.registers},
          {"memory_bytes", gpu.memory_bytes},
          {"rates", json_of(gpu.rates)},
          {"start_is_paid", gpu.start_is_paid}};
}

Gpu gpu_from(const Json& json) {
  Gpu gpu;
  gpu.name = json.at("name").get<std::string>();
  gpu.capability = static_cast<int>(count_from(json.at("capability"), 10000));
  gpu.limits = {count_from(json.at("shared_bytes"), 1 << 20),
                static_cast<int>(count_from(json.at("threads"), 1024)),
                static_cast<int>(count_from(json.at("registers"), 1 << 20)),
                device::has_clusters(gpu.capability)};
  gpu.memory_bytes = count_from(json.at("memory_bytes"), std::int64_t{1} << 60);
  gpu.rates = device_rates_from(json.at("rates"));
  gpu.start_is_paid = json.value("start_is_paid", false);  // plans of earlier versions do not say
  return gpu;
}

std::string processor_name() {
  // ARM's processors have numbers instead of a name
  std::ifstream file{"/proc/cpuinfo"};
  std::string numbers;
  for (std::string line; std::getline(file, line);) {
    const auto at = line.find(": ");
    if (at == std::string::npos) continue;
    if (line.starts_with("model name")) return line.substr(at + 2);
    if (line.starts_with("CPU implementer")) numbers = "implementer " + line.substr(at + 2);
    if (line.starts_with("CPU part")) return numbers + ", part " + line.substr(at + 2);
  }
  return "unknown";
}

void measure_processor(MachineRates& rates, const RunContext& context) {
  const bool with_fftw = is_here(FftLibrary::fftw);
  context.progress.begin("measure the machine", static_cast<std::int64_t>(kLengths.size()) + 1);
  rates.cores = context.pool.threads();
  rates.memory_bytes_per_second = memory_rate(context);
  context.progress.advance(1);
  for (std::size_t i = 0; i < kLengths.size(); ++i) {
    rates.line_factor[i] = line_factor(FftLibrary::own, kLengths[i], context);
    if (with_fftw) rates.fftw_line_factor[i] = line_factor(FftLibrary::fftw, kLengths[i], context);
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
