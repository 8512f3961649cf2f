// SPDX-License-Identifier: MIT
#include "fftconv/host/parts/exchange.hpp"
#include <algorithm>
#include <vector>
#include "core/run/host_buffer.hpp"

namespace synthoscope::fftconv {
namespace {

/// Messages are cut so that two of them, one each way, are no burden.
constexpr std::int64_t kLargestMessage = std::int64_t{16} << 20;

/// A box that goes from one member to another: where it lies in what the one has, and the other.
struct Message {
  Index3 of_sender, of_receiver;
  Extent3 size;
};

/// Divides the planes of each part into boxes of at most `voxels` voxels: whole planes, or rows of
/// one plane if a plane is larger.
std::vector<Message> messages_of(const SharedParts& sender, const SharedParts& receiver,
                                 const Decimation& decimation, const Extent3& plane,
                                 std::int64_t voxels) {
  const std::int64_t rows = std::clamp<std::int64_t>(voxels / plane.x, 1, plane.y);
  const std::int64_t planes = std::max<std::int64_t>(1, voxels / (plane.y * plane.x));
  const std::int64_t all = 2 * receiver.planes.count;
  std::vector<Message> messages;
  for (std::int64_t part = 0; part < sender.parts.count; ++part)
    for (std::int64_t z = 0; z < all; z += planes)
      for (std::int64_t y = 0; y < plane.y; y += rows) {
        const std::int64_t of_sender = 2 * (part * decimation.planes + receiver.planes.first) + z;
        const std::int64_t of_receiver = (sender.parts.first + part) * all + z;
        messages.push_back({{of_sender, y, 0},
                            {of_receiver, y, 0},
                            {std::min(planes, all - z), std::min(rows, plane.y - y), plane.x}});
      }
  return messages;
}

/// The bytes of a message, in a buffer that holds the largest.
struct Envelope {
  HostBuffer<std::byte> room;
  PixelType type;

  [[nodiscard]] std::span<std::byte> bytes(const Message& message) const {
    return {room.data(), static_cast<std::size_t>(volume(message.size) * size_of(type))};
  }
  [[nodiscard]] VoxelView view(const Message& message) const {
    return {room.data(), type, message.size};
  }
};

}  // namespace

SharedParts share_of_parts(const Decimation& decimation, std::int64_t result_planes,
                           const Shard& member) {
  return {share_of(member, decimation.parts),
          share_of(member, std::min(decimation.planes, result_planes))};
}

void exchange_parts(Team& team, const Decimation& decimation, std::int64_t result_planes,
                    ScratchVolume& own, ScratchVolume& gathered, std::int64_t bytes,
                    MemoryBudget& memory, const StopFlag& stop) {
  const Shard me = team.member();
  const Extent3 plane{1, own.extent().y, own.extent().x};
  const std::int64_t voxel = size_of(own.pixel_type());
  const std::int64_t voxels = std::max(std::min(bytes / 2, kLargestMessage) / voxel, plane.x);
  const auto share = [&](std::int64_t number) {
    return share_of_parts(decimation, result_planes, {number, me.count});
  };
  const auto between = [&](std::int64_t from, std::int64_t to) {
    return messages_of(share(from), share(to), decimation, plane, voxels);
  };
  const Envelope out{{memory, voxels * voxel, "a message"}, own.pixel_type()};
  const Envelope in{{memory, voxels * voxel, "a message"}, own.pixel_type()};

  // What stays here
  for (const Message& message : between(me.number, me.number)) {
    own.read({message.of_sender, message.size}, out.view(message));
    gathered.write({message.of_receiver, message.size}, out.view(message));
  }

  // In every round each member sends to one and takes from another
  for (std::int64_t distance = 1; distance < me.count; ++distance) {
    const std::int64_t to = (me.number - 1 + distance) % me.count + 1;
    const std::int64_t from = (me.number - 1 - distance + me.count) % me.count + 1;
    const auto sent = between(me.number, to), taken = between(from, me.number);
    for (std::size_t i = 0; i < std::max(sent.size(), taken.size()); ++i) {
      stop.check();
      const bool sends = i < sent.size(), takes = i < taken.size();
      if (sends) own.read({sent[i].of_sender, sent[i].size}, out.view(sent[i]));
      team.exchange(to, sends ? out.bytes(sent[i]) : std::span<std::byte>{}, from,
                    takes ? in.bytes(taken[i]) : std::span<std::byte>{});
      if (takes) gathered.write({taken[i].of_receiver, taken[i].size}, in.view(taken[i]));
    }
  }
}

}  // namespace synthoscope::fftconv
