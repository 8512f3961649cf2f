// SPDX-License-Identifier: MIT
#include "jobs/machine/machine_cache.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/run/memory_budget.hpp"
#include "core/system/cache_folder.hpp"
#include "core/system/system_failure.hpp"
#include "fftconv/plan/cuts/machine_record.hpp"
#include "imageio/input/text_file.hpp"
#include "imageio/output/atomic_file.hpp"

namespace synthoscope::jobs {
namespace {

constexpr std::size_t kPiece = std::size_t{4} << 20;
constexpr std::size_t kMax = std::size_t{256} << 20;
constexpr double kSeconds = 2;

/// A file that has no name any more, so that nothing is left whatever happens.
class Nameless {
 public:
  explicit Nameless(const std::filesystem::path& folder)
      : name_{(folder / "synthoscope.XXXXXX").string()}, file_{::mkstemp(name_.data())} {
    if (file_ < 0) fail();
    ::unlink(name_.c_str());
  }
  Nameless(const Nameless&) = delete;
  Nameless& operator=(const Nameless&) = delete;
  ~Nameless() { ::close(file_); }

  [[nodiscard]] int get() const { return file_; }
  [[noreturn]] void fail() const {
    const int failure = errno;
    throw IoError(fmt::format("measure the disk with {}: {}; {}", name_, cause_of(failure),
                              remedy_of(failure, "give a folder on a disk that can be written")));
  }

 private:
  std::string name_;
  int file_;
};

/// Bytes that no disk can compress.
std::vector<std::uint32_t> noise() {
  std::vector<std::uint32_t> words(kPiece / sizeof(std::uint32_t));
  std::uint64_t state = 1;
  for (std::uint32_t& word : words) {
    state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth, MMIX
    word = static_cast<std::uint32_t>(state >> 32);
  }
  return words;
}

const cuda::DeviceRates* rates_of(const cuda::DeviceInfo& device,
                                  const std::vector<MeasuredGpu>& measured) {
  const auto found = std::find_if(measured.begin(), measured.end(),
                                  [&](const auto& gpu) { return gpu.uuid == device.uuid; });
  return found == measured.end() ? nullptr : &found->rates;
}

std::string device_text(const cuda::DeviceInfo& device, const cuda::DeviceRates* rates) {
  const auto text =
      fmt::format("GPU {}        {}, {}, {} multiprocessors, sm_{}\n", device.id.index, device.name,
                  print_bytes(device.memory_bytes), device.multiprocessors, device.capability);
  if (!rates) return text + "  not measured yet; --measure does\n";
  return text + fmt::format(
                    "  link       {:.1f} GB/s up, {:.1f} down, {:.1f} both at once\n"
                    "  ordinary   {:.1f} GB/s up, {:.1f} down, of memory that is not pinned\n"
                    "  memory     {:.0f} GB/s, read and written\n",
                    rates->pinned_up * 1e-9, rates->pinned_down * 1e-9, rates->pinned_both * 1e-9,
                    rates->ordinary_up * 1e-9, rates->ordinary_down * 1e-9, rates->copy * 1e-9);
}

}  // namespace

DiskRates measure_disk(const std::filesystem::path& folder, const StopFlag& stop) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const Nameless file{folder};
  auto piece = noise();
  std::size_t written = 0;
  auto start = Clock::now();
  for (; written < kMax && since(start) < kSeconds; written += kPiece) {
    stop.check();
    if (::pwrite(file.get(), piece.data(), kPiece, static_cast<off_t>(written)) !=
        static_cast<ssize_t>(kPiece))
      file.fail();
  }
  if (::fdatasync(file.get()) != 0) file.fail();
  DiskRates rates;
  rates.write_bytes_per_second = static_cast<double>(written) / since(start);

  ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  std::size_t read = 0;
  start = Clock::now();
  for (; read < written && since(start) < kSeconds; read += kPiece) {
    stop.check();
    if (::pread(file.get(), piece.data(), kPiece, static_cast<off_t>(read)) !=
        static_cast<ssize_t>(kPiece))
      file.fail();
  }
  rates.read_bytes_per_second = static_cast<double>(read) / since(start);
  return rates;
}

std::vector<MeasuredGpu> measure_gpus(const cuda::DeviceList& list, const RunContext& context) {
  std::vector<MeasuredGpu> measured;
  context.progress.begin("measure the GPUs", static_cast<std::int64_t>(list.devices.size()));
  for (const cuda::DeviceInfo& device : list.devices) {
    try {
      measured.push_back(
          {device.uuid, cuda::measure_device(device.id, context.memory, context.stop)});
    } catch (const CudaError& failure) {
      context.log.warn(fmt::format("GPU {} is not measured: {}", device.id.index, failure.what()));
    }
    context.progress.advance(1);
  }
  return measured;
}

Json json_of(const std::vector<MeasuredGpu>& gpus) {
  Json json = Json::array();
  for (const MeasuredGpu& gpu : gpus)
    json.push_back({{"uuid", gpu.uuid}, {"rates", fftconv::json_of(gpu.rates)}});
  return json;
}

std::vector<MeasuredGpu> gpus_from(const Json& json) try {
  std::vector<MeasuredGpu> gpus;
  for (const Json& one : json)
    gpus.push_back(
        {one.at("uuid").get<std::string>(), fftconv::device_rates_from(one.at("rates"))});
  return gpus;
} catch (const Json::exception&) {
  return {};
} catch (const InvalidInput&) {
  return {};
}

Json devices_json(const cuda::DeviceList& list, const std::vector<MeasuredGpu>& measured) {
  Json json = Json::array();
  for (const cuda::DeviceInfo& device : list.devices) {
    const auto* const rates = rates_of(device, measured);
    json.push_back({{"index", device.id.index},
                    {"name", device.name},
                    {"uuid", device.uuid},
                    {"capability", device.capability},
                    {"memory_bytes", device.memory_bytes},
                    {"multiprocessors", device.multiprocessors},
                    {"l2_bytes", device.l2_bytes},
                    {"shared_bytes", device.shared_bytes},
                    {"rates", rates ? fftconv::json_of(*rates) : Json{}}});
  }
  return json;
}

std::string devices_text(const cuda::DeviceList& list, const std::vector<MeasuredGpu>& measured) {
  if (list.devices.empty()) return fmt::format("GPU          none: {}\n", list.why_none);
  std::string text;
  for (const cuda::DeviceInfo& device : list.devices)
    text += device_text(device, rates_of(device, measured));
  return text;
}

std::filesystem::path machine_record_path() {
  const auto folder = cache_folder();
  return folder.empty() ? folder : folder / "machine.json";
}

std::optional<fftconv::MachineRecord> cached_record() try {
  const auto path = machine_record_path();
  if (path.empty()) return std::nullopt;
  const auto record = fftconv::record_from_json(imageio::read_text(path));
  const bool ours = record && record->processor == fftconv::processor_name() &&
                    record->rates.cores == available_threads();
  return ours ? record : std::nullopt;
} catch (const IoError&) {
  return std::nullopt;
}

std::vector<MeasuredGpu> cached_gpus() try {
  const auto path = machine_record_path();
  if (path.empty()) return {};
  const auto json = try_parse_json(imageio::read_text(path));
  return json && json->is_object() && json->contains("gpus") ? gpus_from(json->at("gpus"))
                                                             : std::vector<MeasuredGpu>{};
} catch (const IoError&) {
  return {};
}

bool keep_record(const fftconv::MachineRecord& record, const std::vector<MeasuredGpu>& gpus) try {
  const auto path = machine_record_path();
  if (path.empty()) return false;
  std::filesystem::create_directories(path.parent_path());
  Json json = parse_json(to_json(record));
  json["gpus"] = json_of(gpus);  // beside what older programs read
  imageio::write_file_atomically(path, indented_text_of(json), true);
  return true;
} catch (const IoError&) {
  return false;
} catch (const std::filesystem::filesystem_error&) {
  return false;
}

fftconv::MachineRecord measure_machine(const std::filesystem::path& folder,
                                       const RunContext& context) {
  fftconv::MachineRecord record;
  record.processor = fftconv::processor_name();
  TaskPool pool{available_threads()};
  measure_processor(record.rates,
                    {pool, context.memory, context.progress, context.log, context.stop});
  try {
    context.progress.begin("measure the disk", 1);
    const DiskRates disk = measure_disk(folder.empty() ? "." : folder, context.stop);
    record.rates.disk_read_bytes_per_second = disk.read_bytes_per_second;
    record.rates.disk_write_bytes_per_second = disk.write_bytes_per_second;
    context.progress.advance(1);
  } catch (const IoError& failure) {
    context.log.warn(
        fmt::format("{}; the speeds of a reference machine are used instead", failure.what()));
  }
  return record;
}

}  // namespace synthoscope::jobs
