// SPDX-License-Identifier: MIT
#include "simulator/timelapse/tracks.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "simulator/phantom/geometry/population.hpp"

namespace synthoscope::simulator {

Track& Tracks::begin_track(std::int64_t object, std::int64_t parent) {
  const auto place = static_cast<std::int32_t>(tracks_.size());
  if (place == kMaxObjects)
    throw InvalidSpec(
        fmt::format("make the movie: by frame {} there are more than {} tracks, and labels cannot "
                    "number more; use fewer frames or fewer objects",
                    frame_, kMaxObjects));
  const auto number = static_cast<std::size_t>(object);
  if (number >= first_.size()) {
    first_.resize(number + 1, -1);
    last_.resize(number + 1, -1);
  }
  if (last_[number] < 0)
    first_[number] = place;
  else
    next_[static_cast<std::size_t>(last_[number])] = place;
  last_[number] = place;
  next_.push_back(-1);
  return tracks_.emplace_back(Track{object, place + 1, frame_, -1, parent});
}

void Tracks::add(const std::vector<std::int64_t>& objects, const std::vector<bool>& seen,
                 const std::vector<std::int64_t>& mothers) {
  const auto last_of = [&](std::int64_t object) -> Track* {
    const auto number = static_cast<std::size_t>(object);
    if (object < 0 || number >= last_.size() || last_[number] < 0) return nullptr;
    return &tracks_[static_cast<std::size_t>(last_[number])];
  };
  for (std::size_t i = 0; i < objects.size(); ++i) {
    Track* track = last_of(objects[i]);
    if (!track) {
      const Track* mother = last_of(mothers[i]);
      track = &begin_track(objects[i], mother && mother->is_seen() ? mother->label : 0);
    }
    if (!seen[i]) continue;
    if (track->is_seen() && track->end + 1 < frame_) track = &begin_track(objects[i], 0);
    if (!track->is_seen()) track->begin = frame_;
    track->end = frame_;
  }
  ++frame_;
}

const Track& Tracks::at(std::int64_t object, std::int64_t frame) const {
  auto place = first_.at(static_cast<std::size_t>(object));
  for (;;) {
    const auto next = next_[static_cast<std::size_t>(place)];
    if (next < 0 || tracks_[static_cast<std::size_t>(next)].begin > frame)
      return tracks_[static_cast<std::size_t>(place)];
    place = next;
  }
}

std::int64_t Tracks::bytes(std::int64_t tracks) {
  // Lists that grow by doubling
  return 3 * tracks * std::int64_t{sizeof(Track) + 3 * sizeof(std::int32_t)};
}

}  // namespace synthoscope::simulator
