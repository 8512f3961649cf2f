// SPDX-License-Identifier: MIT
#include "tools/terminal/result.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/run/memory_budget.hpp"
#include "core/system/system_failure.hpp"
#include "tools/terminal/process.hpp"
#include "tools/terminal/visible_text.hpp"

namespace synthoscope::tools {
namespace {

Json known_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

void print_text(std::string_view text) {
  const std::string shown = visible_lines(text);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  if (shown.empty() || shown.back() != '\n') std::fputc('\n', stdout);
  flush_results();
}

void print_picture(std::string_view blocks) {
  std::fwrite(blocks.data(), 1, blocks.size(), stdout);
  flush_results();
}

void print_json(const Json& object) {
  print_text(indented_text_of(object));
}

void print_summary(std::string_view text) {
  if (!standard_output_is_closed()) print_text(text);
}

void flush_results() {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return;
  const int failure = errno != 0 ? errno : EIO;
  if (standard_output_is_closed())
    throw IoError(
        "write the result to standard output: it is closed; redirect it to a file or a program");
  throw IoError(fmt::format("write the result to standard output: {}; {}", cause_of(failure),
                            remedy_of(failure, "redirect it to a file or a program")));
}

std::string columns_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += fmt::format("{:<{}}", row[i], widths[i] + 2);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

Json json_of(const Extent3& extent) {
  return {extent.z, extent.y, extent.x};
}

Json json_of(const Index3& index) {
  return {index.z, index.y, index.x};
}

Json voxel_size_json(const imageio::ImageInfo& info) {
  return {known_or_null(info.z_um), known_or_null(info.y_um), known_or_null(info.x_um)};
}

Json json_of(const Stages& stages) {
  Json seconds = Json::object();
  for (const auto& [stage, wall] : stages) seconds[stage] = wall;
  return seconds;
}

Json json_of(const fftconv::RunReport& report, std::int64_t peak_rss_anon_bytes) {
  return {{"seconds", report.seconds},
          {"instruction_set", report.instruction_set},
          {"fft", report.fft.empty() ? Json{} : Json(report.fft)},
          {"stages", json_of(report.stages)},
          {"peak_memory_bytes", report.peak_memory_bytes},
          {"peak_device_bytes", report.peak_device_bytes},
          {"peak_rss_anon_bytes", peak_rss_anon_bytes},
          {"peak_resident_bytes", peak_resident_bytes()}};
}

Json json_of(const simulator::CameraReport& report) {
  return {{"voxels", report.voxels},
          {"full_wells", report.full_wells},
          {"full_counters", report.full_counters},
          {"clipped_low", report.clipped_low},
          {"clipped_high", report.clipped_high},
          {"negative_photons", report.negative_photons},
          {"most_negative_photons", report.most_negative_photons}};
}

std::string stages_text(const Stages& stages, std::int64_t peak_memory_bytes) {
  std::string text;
  for (const auto& [stage, seconds] : stages)
    text += fmt::format("  {:<24} {:8.3f} s\n", stage, seconds);
  return text + fmt::format("  {:<24} {:>10}", "memory counted at the peak",
                            print_bytes(peak_memory_bytes));
}

}  // namespace synthoscope::tools
