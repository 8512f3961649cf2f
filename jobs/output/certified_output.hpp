// SPDX-License-Identifier: MIT
// jobs/output/certified_output.hpp — a result that is checked before it appears under its name.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include "fftconv/certify/by_library.hpp"
#include "fftconv/certify/certify.hpp"
#include "fftconv/fft/fft_library.hpp"
#include "imageio/create.hpp"
#include "imageio/run/input_identity.hpp"

namespace synthoscope::jobs {

/// How a result is recomputed before it gets its name.
struct CertifyChoice {
  std::int64_t voxels = 0;  ///< by direct sums; 0: none
  std::int64_t seed = 0;
  std::optional<fftconv::FftLibrary> by = {};      ///< recomputes all voxels, if it is set
  std::optional<fftconv::CertifyingGpu> gpu = {};  ///< where cuFFT does

  [[nodiscard]] bool is_wanted() const { return voxels > 0 || by; }

  /// Returns the least memory of certify_and_rename, including what reading a result of `spec`
  /// needs; 0 if nothing is recomputed.
  [[nodiscard]] std::int64_t bytes(const fftconv::Problem& problem, int threads,
                                   const imageio::ImageSpec& spec) const;

  /// Returns the path under which the result `output` is written: `output` itself, or
  /// `output`.uncertified until it is certified (for HDF5: out.h5.uncertified.h5).
  [[nodiscard]] std::filesystem::path uncertified_path(const std::filesystem::path& output) const;
};

/// What certify_and_rename found.
struct Certificates {
  std::optional<fftconv::Certificate> by_sums, by_library;
};

/// Recomputes voxels of uncertified_path(output), and renames the file to `output` if they agree;
/// if an earlier run was killed after the rename, recomputes voxels of `output`. Removes the file
/// if a voxel differs, and after any other failure unless `keeps` is set. If nothing is wanted,
/// does nothing and returns no certificate. Caches chunks of the result in memory that is free.
/// @param spec  of the result
/// @throws VerificationFailed  the largest difference is beyond the tolerance.
/// @throws InputChanged        an input changed since it was read.
/// @throws NameTaken           `output` appeared meanwhile and must not be replaced.
Certificates certify_and_rename(const CertifyChoice& choice, const std::filesystem::path& output,
                                bool overwrite, bool keeps, const imageio::ImageSpec& spec,
                                const fftconv::Problem& problem, const fftconv::Term& term,
                                const imageio::InputsAsRead& inputs, const RunContext& context);

std::string sentence_of(const fftconv::Certificate& certificate);

}  // namespace synthoscope::jobs
