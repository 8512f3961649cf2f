// SPDX-License-Identifier: MIT
#include "imageio/chunks/state.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/round_up.hpp"
#include "core/volume/box.hpp"
#include "imageio/chunks/grid.hpp"

namespace synthoscope::imageio {
namespace {

/// Both boxes as one, if together they are a box.
std::optional<Box3> joined(const Box3& a, const Box3& b) {
  const Index3 &p = a.origin, &q = b.origin;
  const Extent3 &m = a.size, &n = b.size;
  const bool same_z = p.z == q.z && m.z == n.z, same_y = p.y == q.y && m.y == n.y,
             same_x = p.x == q.x && m.x == n.x;
  const auto touch = [](std::int64_t first, std::int64_t size, std::int64_t other,
                        std::int64_t other_size) {
    return first + size == other || other + other_size == first;
  };
  if (same_y && same_x && touch(p.z, m.z, q.z, n.z))
    return Box3{{std::min(p.z, q.z), p.y, p.x}, {m.z + n.z, m.y, m.x}};
  if (same_z && same_x && touch(p.y, m.y, q.y, n.y))
    return Box3{{p.z, std::min(p.y, q.y), p.x}, {m.z, m.y + n.y, m.x}};
  if (same_z && same_y && touch(p.x, m.x, q.x, n.x))
    return Box3{{p.z, p.y, std::min(p.x, q.x)}, {m.z, m.y, m.x + n.x}};
  return std::nullopt;
}

std::string image_of(const ImageSpec& spec) {
  return fmt::format("{} {} in {}", spec.extent, name_of(spec.type), grid_of(spec).chunk);
}

Json state_of(const ImageSpec& spec,
              std::initializer_list<std::pair<const char*, std::int64_t>> numbers) {
  Json json{{"image", image_of(spec)}};
  for (const auto& [key, number] : numbers) json[key] = number;
  return json;
}

constexpr const char* kPieces = "pieces";

/// The bytes that a thread reads and sums at a time.
constexpr std::int64_t kBytesAtOnce = std::int64_t{1} << 20;

}  // namespace

ContentSum WrittenPieces::sum_of(const Box3& box, ConstVoxelView voxels) const {
  const std::int64_t voxel = size_of(type_);
  ContentSum sum;
  for_each_run(all_, box, voxels.pitch(), [&](auto first, auto at, auto count) {
    sum.add(first * voxel, {voxels.data() + at * voxel, static_cast<std::size_t>(count * voxel)});
  });
  return sum;
}

void WrittenPieces::add(const Box3& box, ConstVoxelView voxels) {
  const Piece piece{box, sum_of(box, voxels)};
  const std::lock_guard lock{mutex_};
  merge(piece);
}

/// What touches came last, most often.
void WrittenPieces::merge(Piece piece) {
  for (std::size_t i = pieces_.size(); i-- > 0;) {
    const auto both = joined(pieces_[i].box, piece.box);
    if (!both) continue;
    piece.box = *both;
    piece.sum.add(pieces_[i].sum);
    pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(i));
    i = pieces_.size();
  }
  pieces_.push_back(piece);
}

Json WrittenPieces::json() const {
  const std::lock_guard lock{mutex_};
  Json list = Json::array();
  for (const auto& [box, sum] : pieces_)
    list.push_back({box.origin.z, box.origin.y, box.origin.x, box.size.z, box.size.y, box.size.x,
                    sum.value()});
  return list;
}

void WrittenPieces::set(const Json& pieces) {
  std::vector<Piece> read;
  for (const Json& row : pieces) {
    const auto number = [&](std::size_t i) { return whole_of(row.at(i)); };
    const Box3 box{{number(0), number(1), number(2)}, {number(3), number(4), number(5)}};
    // A box beyond the volume has no voxels to read, and so not the sum that it should have
    if (contains(all_, box))
      read.push_back({box, ContentSum{number(6)}});
    else
      read.push_back({Box3{}, ContentSum{-1}});
  }
  const std::lock_guard lock{mutex_};
  pieces_ = std::move(read);
}

std::optional<ContentSum> WrittenPieces::sum_read(const Box3& box, const ReadBox& read,
                                                  const StopFlag* stop) const {
  const std::int64_t plane_bytes = box.size.y * box.size.x * size_of(type_);
  const std::int64_t slabs = parts_of(plane_bytes, kBytesAtOnce);
  const std::int64_t rows = std::max<std::int64_t>(1, parts_of(box.size.y, slabs));
  std::vector<std::byte> voxels(static_cast<std::size_t>(rows * box.size.x * size_of(type_)));
  ContentSum sum;
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; y += rows) {
      if (stop) stop->check();
      const Box3 slab{{box.origin.z + z, box.origin.y + y, box.origin.x},
                      {1, std::min(rows, box.size.y - y), box.size.x}};
      const auto part =
          std::span{voxels}.first(static_cast<std::size_t>(volume(slab.size) * size_of(type_)));
      if (!read(slab, part)) return std::nullopt;
      sum.add(sum_of(slab, {part.data(), type_, slab.size}));
    }
  return sum;
}

bool WrittenPieces::are_there(const ChunkGrid& grid, const ReadBox& read, TaskPool* pool,
                              const StopFlag* stop) const {
  for (const Piece& piece : pieces_) {
    std::vector<std::int64_t> chunks;
    for_each_chunk(grid, piece.box, [&](std::int64_t number) { chunks.push_back(number); });
    ContentSum found;
    std::atomic<bool> is_missing = false;
    std::mutex adding;
    const auto check = [&](std::int64_t i) {
      if (is_missing) return;
      const Box3 chunk = grid.box(chunks[static_cast<std::size_t>(i)]);
      const auto sum = sum_read(intersection(chunk, piece.box), read, stop);
      const std::lock_guard lock{adding};
      if (sum)
        found.add(*sum);
      else
        is_missing = true;
    };
    const auto count = static_cast<std::int64_t>(chunks.size());
    if (pool)
      pool->for_each(count, check);
    else
      for (std::int64_t i = 0; i < count; ++i) check(i);
    if (is_missing || found != piece.sum) return false;
  }
  return true;
}

std::string print_state(const ImageSpec& spec,
                        std::initializer_list<std::pair<const char*, std::int64_t>> numbers) {
  return text_of(state_of(spec, numbers));
}

std::string print_state(const ImageSpec& spec,
                        std::initializer_list<std::pair<const char*, std::int64_t>> numbers,
                        const WrittenPieces& pieces) {
  Json json = state_of(spec, numbers);
  json[kPieces] = pieces.json();
  return text_of(json);
}

void read_pieces(const ImageName& name, const std::string& state, WrittenPieces& pieces) try {
  pieces.set(parse_json(state).at(kPieces));
} catch (const Json::exception&) {
  refuse_to_resume(name);
}

std::vector<std::int64_t> read_state(const ImageName& name, const ImageSpec& spec,
                                     const std::string& state,
                                     std::initializer_list<const char*> keys) {
  std::vector<std::int64_t> numbers;
  try {
    const auto json = parse_json(state);
    if (json.at("image") != image_of(spec)) refuse_to_resume(name);
    for (const char* key : keys) numbers.push_back(whole_of(json.at(key)));
  } catch (const Json::exception&) {
    refuse_to_resume(name);
  }
  for (const std::int64_t number : numbers)
    if (number < 0) refuse_to_resume(name);
  return numbers;
}

void refuse_to_resume(const ImageName& name) {
  throw InvalidSpec(
      fmt::format("resume {}: the unfinished file is a different one; start over without --resume",
                  name.file.string()));
}

}  // namespace synthoscope::imageio
