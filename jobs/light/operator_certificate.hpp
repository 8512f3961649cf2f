// SPDX-License-Identifier: MIT
// jobs/light/operator_certificate.hpp — whether the convolutions of a deconvolution are what
// they should be, by sums in double precision.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "fftconv/certify/certify.hpp"
#include "jobs/light/light_search.hpp"
#include "jobs/output/certified_output.hpp"

namespace synthoscope::jobs {

/// Two inner products that are equal if one convolution is the adjoint of the other:
/// <H u, y> = <u, H^T y>.
struct Adjointness {
  double blurred = 0;  ///< <H u, y>
  double back = 0;     ///< <u, H^T y>
  double allowed = 0;  ///< 1e-6 |H u| |y|, for their difference
  [[nodiscard]] bool holds() const;
};

/// What was recomputed of the convolutions of a run, with its own plans and volumes.
struct OperatorCertificate {
  /// "blur" of the estimate, and "back" of the image; or "filter" of the image.
  std::vector<std::pair<std::string, fftconv::Certificate>> convolutions;
  std::optional<Adjointness> adjointness;  ///< none with another back projector, and of a filter

  /// Returns the first thing that is wrong, in words; empty if all holds.
  [[nodiscard]] std::string failure() const;
  /// Returns all numbers as a JSON object.
  [[nodiscard]] std::string json() const;
};

/// Returns the bytes of certify_iterations apart from its volume.
std::int64_t certify_bytes(const CertifyChoice& choice, const deconvolution::Geometry& geometry,
                           int threads);
/// Returns the bytes of its volume, if that lies in memory.
std::int64_t certify_volume_bytes(const CertifyChoice& choice,
                                  const deconvolution::Geometry& geometry);

/// Blurs `estimate`, and projects the image back, with the plans of the iterations. Recomputes
/// voxels of both by direct sums, and compares <H u, y> with <u, H^T y>; y is the image.
/// @param light  its plan has steps
/// @throws as Executor::run and certify
OperatorCertificate certify_iterations(const CertifyChoice& choice, const LightModel& light,
                                       Source& estimate, const RunContext& context);

/// Recomputes voxels of `filtered`, the result of a linear filter.
OperatorCertificate certify_filter(const CertifyChoice& choice, const fftconv::Problem& problem,
                                   const fftconv::Term& term, Source& filtered,
                                   const RunContext& context);

}  // namespace synthoscope::jobs
