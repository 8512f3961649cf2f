// SPDX-License-Identifier: MIT
// simulator/light/device_light.hpp — light that is counted and finished on a device, where it is.
#pragma once
#include <memory>
#include "core/stream/device_stream.hpp"
#include "simulator/light/expected_photons.hpp"
#include "simulator/light/light_ledger.hpp"
#include "simulator/light/stripes.hpp"
#include "simulator/light/weighted_source.hpp"

namespace synthoscope::simulator::device {

/// Make the device forms of CountedSource, WeightedSource, StripedSource and CountedEpilogue around
/// `inner`, and of ExpectedPhotons, with the same bits. Null in a build without CUDA.
std::unique_ptr<cuda::DeviceSource> make_counted_light(std::unique_ptr<cuda::DeviceSource> inner,
                                                       LightLedger& ledger);
std::unique_ptr<cuda::DeviceSource> make_striped_light(std::unique_ptr<cuda::DeviceSource> inner,
                                                       const Stripes& stripes);
std::unique_ptr<cuda::DeviceEpilogue> make_counted_finish(
    std::unique_ptr<cuda::DeviceEpilogue> inner, LightLedger& ledger);
std::unique_ptr<cuda::DeviceSource> make_weighted_light(std::unique_ptr<cuda::DeviceSource> inner,
                                                        const VoxelWeights& weights);
std::unique_ptr<cuda::DeviceEpilogue> make_device_photons(const Background& background,
                                                          const Illumination& illumination);

}  // namespace synthoscope::simulator::device
