// SPDX-License-Identifier: MIT
// jobs/output/certified_output.hpp — a result that is checked before it appears under its name.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include "fftconv/planes/certify.hpp"
#include "imageio/create.hpp"
#include "imageio/run/input_identity.hpp"

namespace synthoscope::jobs {

/// How many voxels of a result are recomputed.
struct CertifyChoice {
  std::int64_t voxels = 0;  ///< 0: none is recomputed
  std::int64_t seed = 0;

  /// Memory of certify_and_rename, with the least that reading a result of `spec` takes; 0 if no
  /// voxel is recomputed.
  [[nodiscard]] std::int64_t bytes(const fftconv::Problem& problem, int threads,
                                   imageio::ImageSpec spec) const;

  /// Where a result that will be called `output` is written: `output` itself, or
  /// `output`.uncertified until it is certified (of HDF5: out.h5.uncertified.h5).
  [[nodiscard]] std::filesystem::path uncertified_path(const std::filesystem::path& output) const;
};

/// Recomputes voxels of uncertified_path(output), or of `output` where it has its name already, and
/// gives it its name; removes it if they differ, and if the run ends before unless `keeps`. Nothing
/// where none is asked for.
/// @throws VerificationFailed  the largest difference is beyond the tolerance.
/// @throws InputChanged        an input changed since it was read.
/// @throws NameTaken           `output` appeared meanwhile and must not be replaced.
std::optional<fftconv::Certificate> certify_and_rename(
    const CertifyChoice& choice, const std::filesystem::path& output, bool overwrite, bool keeps,
    const fftconv::Problem& problem, const fftconv::Term& term, const imageio::InputsAsRead& inputs,
    const RunContext& context);

std::string sentence_of(const fftconv::Certificate& certificate);

}  // namespace synthoscope::jobs
