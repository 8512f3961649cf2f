// SPDX-License-Identifier: MIT
#include "simulator/data_set/scene_record.hpp"
#include <cmath>
#include <tuple>
#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "simulator/phantom/structure_source.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/fitted_sizes.hpp"

namespace synthoscope::simulator {
namespace {

Json zyx(std::int64_t z, std::int64_t y, std::int64_t x) {
  return Json::array({z, y, x});
}

/// Rounds um to whole nanometres: machines differ in the last digits.
double in_nanometres(double um) {
  return std::round(um * 1000) / 1000;
}

/// Returns what the references of a blur represent, in the order of their PSFs.
Json references_record(const References& references) {
  Json rows = Json::array();
  for (const Reference& one : references.all) {
    Json row = Json::object();
    if (one.depth_um) {
      row["depth_um"] = in_nanometres(*one.depth_um);
      row["objective_um"] = in_nanometres(references.depths->focus.at(*one.depth_um));
    }
    if (one.sheet_radius_um) row["sheet_radius_um"] = in_nanometres(*one.sheet_radius_um);
    rows.push_back(row);
  }
  return rows;
}

Json blur_record(const ImageBlur& blur) {
  const auto& [plan, references] = blur;
  const auto& [kernel, center, transform] =
      std::tie(plan.problem.kernel, plan.problem.center, plan.transform);
  Json record{{"strategy", fftconv::name_of(plan.strategy)},
              {"where", fftconv::name_of(plan.where)},
              {"psf", zyx(kernel.z, kernel.y, kernel.x)},
              {"psf_centre", zyx(center.z, center.y, center.x)},
              {"transform", zyx(transform.z, transform.y, transform.x)}};
  // Sets of earlier programs do not name their library, which was our own
  if (plan.cut.fft != fftconv::FftLibrary::own) record["fft"] = version_of(plan.cut.fft);
  if (references.depths || references.all.front().sheet_radius_um)
    record["references"] = references_record(references);
  return record;
}

/// Keys that are newer than some data sets. A record names them only if they are not at their
/// defaults, so that older scenes keep their bytes.
constexpr std::pair<const char*, const char*> kNewerKeys[] = {
    {"grid", "margin_um"},
    {"grid", "masks"},
    {"time", "in_plane"},
    {"nuclei", "count_spread"},
    {"cells", "count_spread"},
    {"beads", "count_spread"},
    {"tissue", "count_spread"},
    {"optics", "collection"},
    {"optics", "glare_share"},
    {"optics", "glare_um"},
    {"illumination", "snr"},
    {"output", "light"},
    {"nuclei", "mitotic_fraction"},
    {"nuclei", "intensity_spread"},
    {"nuclei", "intensity_size_correlation"},
    {"nuclei", "uneven_stain"},
    {"cells", "intensity_spread"},
    {"cells", "intensity_size_correlation"},
    {"cells", "uneven_stain"},
    {"beads", "intensity_spread"},
    {"beads", "intensity_size_correlation"},
    {"tissue", "intensity_spread"},
    {"tissue", "intensity_size_correlation"},
    {"volume", "intensity_spread"},
    {"neuron", "intensity_spread"},
    {"nuclei", "axis_spread"},
    {"nuclei", "asymmetry"},
    {"nuclei", "indentations"},
    {"nuclei", "indentation_depth"},
    {"nuclei", "folds"},
    {"nuclei", "fold_depth"},
    {"nuclei", "fold_um"},
    {"nuclei", "glass_um"},
    {"nuclei", "lacuna_share"},
    {"nuclei", "lacuna_density"},
    {"nuclei", "clump_share"},
    {"nuclei", "clump_density"},
    {"nuclei", "domain_border"},
    {"nuclei", "warp_um"},
    {"nuclei", "warp_wavelength_um"},
    {"nuclei", "nucleolus_height"},
    {"nuclei", "nucleolus_spread"},
    {"nuclei", "nucleolus_parts"},
    {"nuclei", "nucleolus_roughness"},
    {"nuclei", "nucleolus_rim"},
    {"nuclei", "nucleolus_rim_um"},
    {"background", "gradient"},
    {"background", "gradient_degrees"},
    {"background", "field_deviation"},
    {"background", "field_um"},
    {"background", "grain_deviation"},
    {"background", "grain_um"},
    {"medium", "excitation_length_um"},
    {"medium", "emission_length_um"},
    {"medium", "excitation_along"},
    {"medium", "depth_um"}};

void leave_out_newer_keys(Json& scene) {
  const Json usual = parse_json(to_json(SceneSpec{}));
  for (const auto& [table, name] : kNewerKeys)
    if (scene.at(table).at(name) == usual.at(table).at(name)) scene.at(table).erase(name);
  if (scene.at("adherent") == usual.at("adherent")) scene.erase("adherent");
  for (const char* const table : {"output", "medium"})
    if (scene.at(table).empty()) scene.erase(table);
}

}  // namespace

Json record_of(const SceneSpec& scene) {
  Json record;
  record["program"] = "synthoscope";
  record["version"] = kVersion;
  SceneSpec fitted = scene;
  take_fitted_sizes(fitted);
  Json& keys = record["scene"] = parse_json(to_json(fitted));
  leave_out_newer_keys(keys);
  return record;
}

Json scene_record(const SceneSpec& scene, const SimulateOptions& options,
                  const std::vector<ImageBlur>& blurs, const Json& inputs) {
  Json record = record_of(scene);
  if (!inputs.empty()) record["inputs"] = inputs;
  record["files"] = {{"layout", name_in(kTruthLayoutNames, options.layout)},
                     {"ending", ending_of(options)},
                     {"compression", name_in(imageio::kCompressionNames, options.compression)}};
  if (!options.keep_photons) record["files"]["photons"] = false;
  if (joins_channels(scene, options)) record["files"]["joined"] = true;
  if (options.frames) record["files"]["frames"] = {options.frames->first, options.frames->last};
  if (is_zarr(options.format))
    record["files"]["format"] = name_in(imageio::kFileFormatNames, options.format);
  if (!is_chunked(options))
    record["files"]["flavor"] = name_in(imageio::kTiffFlavorNames, options.flavor);
  if (has_structures(phantom_of(scene), sample_grid(scene))) {
    Json& structures = record["structures"] = Json::object();
    for (const auto& [structure, name] : kStructureNames)
      structures[std::string{name}] = static_cast<int>(structure);
  }
  if (options.chunks) {
    const Extent3& chunk = *options.chunks;
    record["files"]["chunks"] = zyx(chunk.z, chunk.y, chunk.x);
  }
  const auto channels = imaged_names(scene, options.channel);
  if (channels.empty()) {
    record["blur"] = blur_record(blurs.front());
    return record;
  }
  record["files"]["channels"] = channels;
  for (std::size_t i = 0; i < channels.size(); ++i)
    record["blur"][channels[i]] = blur_record(blurs[i]);
  return record;
}

}  // namespace synthoscope::simulator
