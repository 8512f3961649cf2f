// SPDX-License-Identifier: MIT
// simulator/detector/noise/draw_run.hpp — random draws for a run of pixels at once, in vector
// registers. Each value has the same bits as from its one-pixel function.
#pragma once
#include <cstdint>
#include "core/math/random.hpp"

namespace synthoscope::simulator {

inline constexpr std::int64_t kLongestRun = 256;  ///< pixels per call of the functions below

/// Computes out[i] = uniform52 of words 0 and 1 of `stream.block(first + i, 0, frame, channel)`.
void draw_uniforms(const RandomStream& stream, std::uint64_t first, std::uint32_t frame,
                   std::uint32_t channel, std::int64_t count, double* out);

/// Computes out[i] = normal_quantile(uniform[i]). `out` may be `uniform`.
void draw_normals(const double* uniform, std::int64_t count, double* out);

/// Computes out[i] = poisson(mean[i], uniform[i]). `out` overlaps neither.
void draw_poissons(const double* mean, const double* uniform, std::int64_t count, double* out);

}  // namespace synthoscope::simulator
