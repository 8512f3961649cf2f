// SPDX-License-Identifier: MIT
// jobs/deconvolve/finished_result.hpp — a result that an earlier run of the same request finished.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include "jobs/deconvolve/deconvolve_job.hpp"

namespace synthoscope::jobs {

/// What the record of a result says.
struct FinishedResult {
  Findings found;
  deconvolution::UnusableVoxels unusable;
  std::string certificate = {};  ///< OperatorCertificate::json; empty: none
};

/// Returns what the record of `output` says, if both exist and its whole request is `asked`.
/// Returns nothing if there is no such record, or it cannot be read.
std::optional<FinishedResult> find_finished(const std::filesystem::path& output,
                                            const std::string& asked);

}  // namespace synthoscope::jobs
