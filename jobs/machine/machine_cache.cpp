// SPDX-License-Identifier: MIT
#include "jobs/machine/machine_cache.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/system/cache_folder.hpp"
#include "imageio/input/text_file.hpp"
#include "imageio/output/atomic_file.hpp"
#include "jobs/machine/disk_rates.hpp"

namespace synthoscope::jobs {

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
