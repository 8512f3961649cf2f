// SPDX-License-Identifier: MIT
#include "tools/jobs/beads_job.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/csv_cell.hpp"
#include "core/base/json.hpp"
#include "fftconv/kernel/kernel.hpp"
#include "imageio/formats.hpp"
#include "imageio/output/atomic_file.hpp"
#include "simulator/measurement/bead_size.hpp"
#include "simulator/optics/measured_file.hpp"
#include "tools/options/command.hpp"
#include "tools/options/rows.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

using simulator::ImagedBead;

constexpr std::array<const char*, 3> kAxes{"z", "y", "x"};

/// Returns the count at which a camera that stores this type saturates at the latest.
std::optional<double> largest_of(PixelType type) {
  if (type == PixelType::uint8) return 255;
  if (type == PixelType::uint16) return 65535;
  return std::nullopt;
}

void scale(simulator::BeadAverage& average, simulator::PsfNormalization normalization) {
  const Extent3& e = average.mean.extent;
  const std::int64_t pixels = e.y * e.x;
  const auto sum_of = [&](std::int64_t first, std::int64_t count) {
    double sum = 0;
    for (std::int64_t i = first; i < first + count; ++i)
      sum += static_cast<double>(average.mean.voxels[static_cast<std::size_t>(i)]);
    return sum;
  };
  double by = 1;
  if (normalization == simulator::PsfNormalization::plane) by = sum_of(e.z / 2 * pixels, pixels);
  if (normalization == simulator::PsfNormalization::sum) by = sum_of(0, volume(e));
  if (!(by > 0))
    throw InvalidInput(
        fmt::format("scale the mean of the beads: its light adds up to {:.3g}, which must be "
                    "positive; give --normalize peak, or a stack with an even background",
                    by));
  for (float& value : average.mean.voxels) value = static_cast<float>(value / by);
  for (float& value : average.spread.voxels) value = static_cast<float>(value / by);
}

/// Returns "0.83, 0.31, 0.30 um along z, y and x".
std::string widths_text(const std::array<std::optional<double>, 3>& widths) {
  std::vector<std::string> numbers, axes;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (widths[axis]) {
      numbers.push_back(fmt::format("{:.4g}", *widths[axis]));
      axes.emplace_back(kAxes[axis]);
    }
  return numbers.empty()
             ? "not known"
             : fmt::format("{} um along {}", fmt::join(numbers, ", "), fmt::join(axes, ", "));
}

/// The lowest and the highest width along an axis of the beads that were used.
std::pair<double, double> range_of(const std::vector<ImagedBead>& beads, std::size_t axis) {
  std::pair<double, double> range{beads.front().fwhm_um[axis], beads.front().fwhm_um[axis]};
  for (const ImagedBead& bead : beads)
    range = {std::min(range.first, bead.fwhm_um[axis]), std::max(range.second, bead.fwhm_um[axis])};
  return range;
}

std::string table_of(const BeadsResult& result) {
  std::string csv =
      "bead,z_um,y_um,x_um,peak,background,snr,fwhm_z_um,fwhm_y_um,fwhm_x_um,used,refused\n";
  const auto& beads = result.beads.beads;
  for (std::size_t i = 0; i < beads.size(); ++i) {
    const ImagedBead& bead = beads[i];
    csv += fmt::format("{},{:.4f},{:.4f},{:.4f},{:.6g},{:.6g},{:.4g},{:.4f},{:.4f},{:.4f},{},{}\n",
                       i + 1, bead.centre.z * result.pitch.z_um, bead.centre.y * result.pitch.y_um,
                       bead.centre.x * result.pitch.x_um, bead.peak, bead.background, bead.snr,
                       bead.fwhm_um[0], bead.fwhm_um[1], bead.fwhm_um[2],
                       bead.refused.empty() ? 1 : 0, csv_cell(bead.refused));
  }
  return csv;
}

Json number_or_null(const std::optional<double>& number) {
  return number ? Json(*number) : Json();
}

Json json_of_beads(const BeadsResult& result) {
  Json rows = Json::array();
  for (const ImagedBead& bead : result.beads.beads)
    rows.push_back({{"position_um",
                     {bead.centre.z * result.pitch.z_um, bead.centre.y * result.pitch.y_um,
                      bead.centre.x * result.pitch.x_um}},
                    {"peak", bead.peak},
                    {"snr", bead.snr},
                    {"fwhm_um", bead.fwhm_um},
                    {"refused", bead.refused.empty() ? Json() : Json(bead.refused)}});
  return rows;
}

void print_refused(const std::vector<ImagedBead>& beads) {
  constexpr std::size_t kMostRows = 30;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < beads.size(); ++i) {
    if (beads[i].refused.empty()) continue;
    if (++rows > kMostRows) continue;
    print_summary(fmt::format("refused: bead {}, {}", i + 1, beads[i].refused));
  }
  if (rows > kMostRows)
    print_summary(fmt::format("and {} more: --table FILE has all", rows - kMostRows));
}

}  // namespace

void BeadsJob::describe(OptionTable& table) {
  table.group("Beads");
  table.add(path_row("from-beads", "STACK", stack_,
                     "make the PSF from this image of beads: finds them, refuses those that touch, "
                     "saturate or are cut, aligns the others and averages them"));
  const auto with_beads = [&](Option row) {
    row.only = "with --from-beads";
    row.is_meant = [this] { return is_wanted(); };
    table.add(std::move(row));
  };
  with_beads(real_row("bead-um", "UM", bead_um_, "um",
                      "diameter of the beads, which is taken out of their image; 0: they are "
                      "points"));
  with_beads(path_row("table", "FILE", table_,
                      "write a CSV file with the position, brightness and widths of every bead, "
                      "and why it was refused"));
  with_beads(path_row("spread", "FILE", spread_,
                      "write the standard deviation over the beads, voxel by voxel, as an image"));
}

void BeadsJob::name_files(imageio::RunFiles& files) const {
  if (!is_wanted()) return;
  files.add_reference("image of beads", stack_);
  if (!table_.empty()) files.add_output_file("table", table_);
  if (!spread_.empty()) files.add_output_file("spread", spread_);
}

Json BeadsJob::request() const {
  return Json{{"stack", stack_.filename().string()}, {"bead_um", bead_um_}};
}

void BeadsJob::require_valid(const std::optional<Extent3>& window, const FileOptions& file) const {
  if (window && (window->z % 2 == 0 || window->y % 2 == 0 || window->x % 2 == 0))
    throw InvalidSpec(
        fmt::format("psf: --size is {}, and a bead lies in the middle voxel of its window; give "
                    "three odd numbers",
                    *window));
  if (!(bead_um_ >= 0 && bead_um_ < 100))
    throw InvalidSpec(
        fmt::format("psf: --bead-um is {}; give a diameter from 0 to 100 um", bead_um_));
  if (!table_.empty()) require_new_output(table_, file.overwrite);
  if (!spread_.empty()) require_new_image(spread_, file);
}

BeadsResult BeadsJob::run(const InputOptions& input, const std::optional<Extent3>& window,
                          simulator::PsfNormalization normalization, bool overwrite,
                          const RunContext& context) const {
  const CountedImage image = open_counted(stack_, input.open_options(), context);
  report_reading(stack_, image.info, context.log);
  const auto pitch = image.info.voxel_size();
  if (!pitch)
    throw InvalidSpec(
        fmt::format("psf --from-beads {}: the file does not give the size of its voxels; give "
                    "--voxel-um Z,Y,X",
                    stack_.string()));
  const auto held = context.memory.reserve(volume(image.info.extent) * std::int64_t{sizeof(float)},
                                           "the image of beads");
  const Volume<float> voxels = read_all<float>(*image.source);
  for (const float value : voxels.voxels)
    if (!std::isfinite(value))
      throw InvalidInput(fmt::format(
          "psf --from-beads {}: a voxel is not a finite number; give an image without such voxels",
          stack_.string()));
  simulator::BeadSearch search{window, largest_of(image.info.type)};
  BeadsResult result{find_beads(voxels, *pitch, search, context), {}, {}, *pitch};
  if (result.beads.kept().empty()) write_table(result, overwrite);  // it tells why
  result.average = average_beads(voxels, *pitch, result.beads, context);
  if (bead_um_ > 0)
    simulator::remove_bead_size(result.average.mean, *pitch, result.beads.median_fwhm_um,
                                result.average.noise, bead_um_, context);
  MemorySource light{result.average.mean.view()};
  const auto top = centre_of_light(simulator::FileCenter::peak, light,
                                   fftconv::summarize(light, context.stop), context.stop);
  result.figures = simulator::measure_psf(result.average.mean, *pitch, top, result.average.noise);
  scale(result.average, normalization);
  return result;
}

void BeadsJob::write_table(const BeadsResult& result, bool overwrite) const {
  if (!table_.empty()) imageio::write_file_atomically(table_, table_of(result), overwrite);
}

void BeadsJob::write(const BeadsResult& result, const FileOptions& file,
                     const RunContext& context) const {
  write_table(result, file.overwrite);
  if (spread_.empty()) return;
  imageio::ImageSpec spec =
      spec_on(result.pitch, result.average.spread.extent, PixelType::float32, file);
  spec.format = imageio::format_of(spread_, file.format);
  spec.pool = &context.pool;
  spec.stop = &context.stop;
  const auto held = reserve_writing(spec, context);
  const auto sink = imageio::create_image(spread_, spec);
  sink->write(whole(spec.extent), ConstVoxelView{result.average.spread.view()});
  sink->close();
}

void BeadsJob::print(const BeadsResult& result, const std::filesystem::path& output, bool json,
                     const Invocation& invocation) const {
  const std::vector<ImagedBead> kept = result.beads.kept();
  const simulator::PsfFigures& figures = result.figures;
  if (json) {
    Json widths = Json::array(), ranges = Json::array();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [least, most] = range_of(kept, axis);
      widths.push_back(number_or_null(figures.fwhm_um[axis]));
      ranges.push_back({least, most});
    }
    return print_json(Json{{"output", output.string()},
                           {"extent", json_of(result.beads.window)},
                           {"used", kept.size()},
                           {"beads", json_of_beads(result)},
                           {"fwhm_um", widths},
                           {"fwhm_um_over_beads", ranges},
                           {"run", invocation.clock.json()},
                           {"warnings", invocation.console.warnings()}});
  }
  print_summary(
      fmt::format("{}: the mean of {} of {} beads, {} float32; full width at half "
                  "maximum {}",
                  output.string(), kept.size(), result.beads.beads.size(), result.beads.window,
                  widths_text(figures.fwhm_um)));
  if (kept.size() > 1)
    for (std::size_t axis = result.beads.window.z == 1 ? 1 : 0; axis < 3; ++axis) {
      const auto [least, most] = range_of(kept, axis);
      print_summary(fmt::format("width along {} of single beads: {:.4g} to {:.4g} um", kAxes[axis],
                                least, most));
    }
  print_refused(result.beads.beads);
}

}  // namespace synthoscope::tools
