// SPDX-License-Identifier: MIT
// score/spots/data_set_spots.hpp — the true spots of a data set, and how well it allows them to be
// localised.
#pragma once
#include <cstddef>
#include "core/run/run_context.hpp"
#include "score/spots/spot.hpp"
#include "score/spots/spot_scores.hpp"
#include "simulator/report/data_set_reader.hpp"

namespace synthoscope::score {

/// Returns the pixels of the images of a channel, as the camera recorded them, and the frames.
/// Pixels that the camera binned are one.
/// @throws InvalidInput, IoError  as opening the first image.
SpotSpace space_of(const simulator::DataSetReader& data, std::size_t channel,
                   const RunContext& context);

/// Reads the spots of spots.csv, or, if there is none, the beads of objects.csv, with the photons
/// of an exposure in which the light of the channel falls on one plane: before an uneven
/// illumination.
/// @throws InvalidInput  the data set has neither.  @throws as read_spots
SpotList true_spots(const simulator::DataSetReader& data, std::size_t channel,
                    const SpotSpace& space, const RunContext& context);

/// Computes bounds of true spots, at most `most` evenly chosen ones, since a bound may take
/// milliseconds. There are none, and a note says why, if the data set lacks its noise-free photons
/// or the scene it was made from, has stripes of light, or has PSFs that vary.
/// @param truth  from true_spots, for the same channel
/// @throws as bounds_of, and what readers of images throw
BoundedSpots bounded_spots(const simulator::DataSetReader& data, std::size_t channel,
                           const SpotList& truth, std::size_t most, const RunContext& context);

}  // namespace synthoscope::score
