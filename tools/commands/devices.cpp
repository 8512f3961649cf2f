// SPDX-License-Identifier: MIT
// Lists what this machine has, and how fast it was when it was measured.
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "fftconv/host/executor.hpp"
#include "fftconv/plan/cuts/cost.hpp"
#include "fftconv/plan/cuts/machine_record.hpp"
#include "jobs/machine/machine_cache.hpp"
#include "tools/commands/commands.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

/// "0.42 ns at length 64, ...": for a complex value in a line of that length, all cores together.
std::string line_text(const fftconv::MachineRates& rates, fftconv::FftLibrary library) {
  const auto nanoseconds = [&](std::int64_t length) {
    return 1e9 * line_seconds(1, length, fftconv::Precision::float32, rates, library);
  };
  std::string text;
  for (const std::int64_t length : fftconv::kLineClasses)
    text += fmt::format("{:.2f} ns at length {}, ", nanoseconds(length), length);
  const std::int64_t beyond = 4 * fftconv::kLineClasses.back();
  return text + fmt::format("{:.2f} ns at {} per complex value", nanoseconds(beyond), beyond);
}

/// A row for each library of this program.
std::string transforms_text(const fftconv::MachineRates& rates) {
  using fftconv::FftLibrary;
  std::string text = "  transforms " + line_text(rates, FftLibrary::own) + '\n';
  if (is_here(FftLibrary::fftw))
    text += "  by FFTW    " + line_text(rates, FftLibrary::fftw) + '\n';
  return text;
}

class Devices final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "devices"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Lists processors, memory, disks and GPUs, and their speed. Plans "
           "use the rates that --measure found and stored in the user's cache folder; until then, "
           "rates of a reference machine.";
  }
  void describe(OptionTable& table) override {
    table.group("Measuring");
    table.add(switch_row("measure", measure_,
                         "measure processor, memory, disk and GPUs again, in a few seconds each, "
                         "and store the rates"));
    table.add(path_row("folder", "DIR", folder_,
                       "folder whose disk is measured; default: the current folder"));
    table.group("Running");
    run_.describe_output(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles&) const override {}

  bool measure_ = false;
  std::filesystem::path folder_ = ".";
  RunOptions run_;
};

void Devices::run(const Invocation& invocation) {
  Console& console = invocation.console;
  const cuda::DeviceList list = cuda::list_devices();
  auto record = jobs::cached_record();
  auto gpus = jobs::cached_gpus();
  if (measure_) {
    TaskPool pool{available_threads()};
    MemoryBudget memory{available_memory_bytes()};
    const RunContext context{pool, memory, console, console, invocation.stop};
    record = jobs::measure_machine(folder_, context);
    if (!list.devices.empty()) gpus = jobs::measure_gpus(list, context);
    console.finish();
    if (!jobs::keep_record(*record, gpus))
      console.warn(
          "the measured rates cannot be kept: the cache folder cannot be written; set "
          "XDG_CACHE_HOME to one that can");
  }
  const fftconv::MachineRates rates = record ? record->rates : fftconv::MachineRates{};
  const std::string_view loops = fftconv::host_instruction_set(fftconv::Precision::float32);
  if (run_.json)
    return print_json(Json{{"processor", fftconv::processor_name()},
                           {"cores", available_threads()},
                           {"instruction_set", loops},
                           {"memory_available_bytes", available_memory_bytes()},
                           {"measured", record.has_value()},
                           {"rates", json_of(rates)},
                           {"gpus", jobs::devices_json(list, gpus)},
                           {"record", jobs::machine_record_path().string()}});
  print_text(fmt::format(
      "processor    {}, {} cores, {}\nmemory       {} available\n\n{}\n  memory     {:.1f} GB/s, "
      "read and written\n  disk       {:.2f} GB/s read, {:.2f} GB/s written\n{}{}",
      fftconv::processor_name(), available_threads(), loops, print_bytes(available_memory_bytes()),
      record ? "speeds as measured, in " + jobs::machine_record_path().string()
             : "speeds of a reference machine, which plans use until you run devices --measure",
      rates.memory_bytes_per_second * 1e-9, rates.disk_read_bytes_per_second * 1e-9,
      rates.disk_write_bytes_per_second * 1e-9, transforms_text(rates),
      jobs::devices_text(list, gpus)));
}

}  // namespace

std::unique_ptr<Command> make_devices() {
  return std::make_unique<Devices>();
}

}  // namespace synthoscope::tools
