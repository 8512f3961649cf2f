// SPDX-License-Identifier: MIT
#include "jobs/deconvolve/finished_result.hpp"
#include <fstream>
#include <iterator>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/image/name.hpp"
#include "imageio/run/provenance.hpp"

namespace synthoscope::jobs {
namespace {

std::string text_in(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

std::optional<FinishedResult> find_finished(const std::filesystem::path& output,
                                            const std::string& asked) try {
  std::error_code ignored;
  if (!std::filesystem::exists(imageio::file_of(output), ignored)) return std::nullopt;
  const auto record = try_parse_json(text_in(imageio::record_path(output)));
  if (!record || !record->contains("asked") || record->at("asked") != parse_json(asked))
    return std::nullopt;
  const Json& found = record->at("found");
  FinishedResult result{findings_from(text_of(found)),
                        {.negative = whole_of(found.at("negative_voxels")),
                         .saturated = whole_of(found.at("saturated_voxels"))}};
  if (found.contains("certificate")) result.certificate = text_of(found.at("certificate"));
  return result;
} catch (const Json::exception&) {
  return std::nullopt;
} catch (const InvalidInput&) {
  return std::nullopt;
}

}  // namespace synthoscope::jobs
