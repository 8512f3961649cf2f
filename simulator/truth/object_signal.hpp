// SPDX-License-Identifier: MIT
// simulator/truth/object_signal.hpp — the signal-to-noise ratio of every object in an image.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "simulator/truth/pixel_signal.hpp"

namespace synthoscope::simulator {

/// Returns the signal-to-noise ratio of each object: the mean of PixelSignal::ratio over its
/// labelled voxels, with the expected photons of their pixels. Light of other objects counts as
/// signal. The ratio is NaN if an object has no voxel. Threads do not change the result.
/// @param objects  labels
/// @param photons  float32, of the extent of `labels`, which is that of the sensor or of a part
/// @param labels   uint16
/// @param origin   of `photons` and `labels` in the field, a multiple of the camera's binning
/// @throws PlanError  the memory has no room for it.  @throws Interrupted, and what sources throw
std::vector<double> object_snr(Source& photons, Source& labels,
                               const std::vector<std::uint16_t>& objects, const ImageNoise& noise,
                               const RunContext& context, const Index3& origin = {});

/// Returns the bytes of object_snr.
/// @param bin  pixels along y and x that the camera adds up
std::int64_t object_snr_bytes(const Extent3& sensor, std::int64_t bin, std::int64_t objects,
                              int threads);

}  // namespace synthoscope::simulator
