// SPDX-License-Identifier: MIT
// The file begins with a header, JSON that is padded to a fixed size and written last. The volumes
// follow.
#include "jobs/light/checkpoint_file.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/math/content_sum.hpp"
#include "core/run/host_buffer.hpp"
#include "imageio/input/file.hpp"
#include "imageio/output/partial_file.hpp"

namespace synthoscope::jobs {
namespace {

constexpr std::string_view kMark = "synthoscope iterations 1\n";
constexpr std::int64_t kRoomStep = 4096;

[[noreturn]] void refuse_checkpoint(const std::filesystem::path& path, std::string_view why) {
  throw InvalidInput(
      fmt::format("resume from {}: {}; remove the file, or leave --resume out to start over",
                  path.string(), why));
}

[[noreturn]] void refuse_foreign(const std::filesystem::path& path) {
  throw InvalidInput(
      fmt::format("deconvolve: {} is no checkpoint of this program, and checkpoints would replace "
                  "it; move it, or give the result another name",
                  path.string()));
}

std::int64_t plane_bytes(const Extent3& e) {
  return e.y * e.x * std::int64_t{sizeof(float)};
}

std::int64_t bytes_of(const Extent3& e) {
  return e.z * plane_bytes(e);
}

std::string header_text(const IterationState& state, std::span<Source* const> volumes,
                        const ContentSum& sum) {
  Json extents = Json::array();
  for (const Source* const volume : volumes) {
    const Extent3 e = volume->extent();
    extents.push_back({e.z, e.y, e.x});
  }
  return std::string{kMark} + text_of({{"request", state.request},
                                       {"plans", state.plans},
                                       {"iterations", state.iterations},
                                       {"found", state.found},
                                       {"extents", extents},
                                       {"sum", sum.value()}});
}

/// Room for the header: the numbers in it are known only when the volumes are written.
std::int64_t room_of(const IterationState& state, std::span<Source* const> volumes) {
  constexpr std::int64_t kLongestNumber = 24;
  const auto least =
      static_cast<std::int64_t>(header_text(state, volumes, ContentSum{}).size()) + kLongestNumber;
  return (least + kRoomStep) / kRoomStep * kRoomStep;
}

struct HeaderText {
  std::string json;
  std::int64_t room = 0;
};

struct Header {
  Json json;
  std::int64_t room = 0;
};

/// A file begins with the size of its header, as text of so many bytes.
constexpr std::int64_t kPrefix = 16;

/// @throws InvalidInput  another program made the file.
HeaderText read_header_text(const imageio::InputFile& file) {
  const std::filesystem::path& path = file.path();
  std::string prefix(kPrefix, '\0');
  if (file.size() < kRoomStep) refuse_foreign(path);
  file.read_at(0, std::as_writable_bytes(std::span{prefix}));
  const std::int64_t room = std::strtoll(prefix.c_str(), nullptr, 10);
  if (room < kRoomStep || room > file.size()) refuse_foreign(path);
  std::string text(static_cast<std::size_t>(room - kPrefix), '\0');
  file.read_at(kPrefix, std::as_writable_bytes(std::span{text}));
  text.resize(std::strlen(text.c_str()));
  if (!text.starts_with(kMark)) refuse_foreign(path);
  return {text.substr(kMark.size()), room};
}

Header read_header(const imageio::InputFile& file) {
  const HeaderText text = read_header_text(file);
  auto json = try_parse_json(text.json);
  if (!json) refuse_checkpoint(file.path(), "it is damaged");
  return {std::move(*json), text.room};
}

std::vector<Extent3> extents_of(const Json& header) {
  std::vector<Extent3> extents;
  for (const Json& one : header.at("extents"))
    extents.push_back({whole_of(one.at(0)), whole_of(one.at(1)), whole_of(one.at(2))});
  return extents;
}

/// Calls `each` for every plane of each volume with the number of the volume, the plane's box, a
/// buffer for the plane, and its offset after the header. Returns the sum of all buffers.
template <class Each>
ContentSum for_each_plane(std::span<const Extent3> extents, const RunContext& context,
                          Each&& each) {
  ContentSum sum;
  std::int64_t offset = 0;
  for (std::size_t v = 0; v < extents.size(); ++v) {
    const Extent3& e = extents[v];
    const HostBuffer<float> buffer{context.memory, e.y * e.x, "a plane of a checkpoint"};
    const std::span<std::byte> bytes{reinterpret_cast<std::byte*>(buffer.data()),
                                     static_cast<std::size_t>(plane_bytes(e))};
    for (std::int64_t z = 0; z < e.z; ++z, offset += plane_bytes(e)) {
      context.stop.check();
      each(v, plane(e, z), HostView3<float>{buffer.data(), {1, e.y, e.x}}, bytes, offset);
      sum.add(offset, bytes);
    }
  }
  return sum;
}

}  // namespace

void CheckpointFile::save(const IterationState& state, std::span<Source* const> volumes,
                          const RunContext& context) const {
  std::vector<Extent3> extents;
  std::int64_t bytes = room_of(state, volumes);
  const std::int64_t room = bytes;
  for (const Source* const volume : volumes) {
    extents.push_back(volume->extent());
    bytes += bytes_of(extents.back());
  }
  imageio::PartialFile file{path_, /*overwrite=*/true};
  file.allocate(bytes);
  const ContentSum sum =
      for_each_plane(extents, context,
                     [&](std::size_t v, const Box3& box, const HostView3<float>& voxels,
                         std::span<const std::byte> plane_data, std::int64_t offset) {
                       volumes[v]->read(box, voxels);
                       file.write_at(room + offset, plane_data);
                     });
  std::string header = fmt::format("{:<{}}", room, kPrefix) + header_text(state, volumes, sum);
  header.resize(static_cast<std::size_t>(room), '\0');
  file.write_at(0, std::as_bytes(std::span{header}));
  file.commit();
}

bool CheckpointFile::is_there() const {
  std::error_code ignored;
  if (!std::filesystem::exists(path_, ignored)) return false;
  static_cast<void>(read_header_text(imageio::InputFile{path_}));
  return true;
}

std::optional<IterationState> CheckpointFile::find() const try {
  std::error_code ignored;
  if (!std::filesystem::exists(path_, ignored)) return std::nullopt;
  const Json header = read_header(imageio::InputFile{path_}).json;
  return IterationState{.request = header.at("request").get<std::string>(),
                        .plans = header.at("plans").get<std::vector<std::string>>(),
                        .iterations = static_cast<int>(whole_of(header.at("iterations"))),
                        .found = header.at("found").get<std::string>()};
} catch (const Json::exception&) {
  refuse_checkpoint(path_, "it is damaged");
}

void CheckpointFile::load(std::span<Sink* const> volumes, const RunContext& context) const try {
  const imageio::InputFile file{path_};
  const Header header = read_header(file);
  const std::vector<Extent3> extents = extents_of(header.json);
  std::int64_t bytes = header.room;
  for (const Extent3& e : extents) bytes += bytes_of(e);
  const bool is_same =
      std::equal(extents.begin(), extents.end(), volumes.begin(), volumes.end(),
                 [](const Extent3& e, const Sink* volume) { return e == volume->extent(); });
  if (!is_same || bytes != file.size()) refuse_checkpoint(path_, "its volumes have other sizes");
  const ContentSum sum =
      for_each_plane(extents, context,
                     [&](std::size_t v, const Box3& box, const HostView3<float>& voxels,
                         std::span<std::byte> plane_data, std::int64_t offset) {
                       file.read_at(header.room + offset, plane_data);
                       volumes[v]->write(box, HostView3<const float>{voxels});
                     });
  if (sum.value() != whole_of(header.json.at("sum")))
    refuse_checkpoint(path_, "its voxels were changed since it was written");
} catch (const Json::exception&) {
  refuse_checkpoint(path_, "it is damaged");
}

void CheckpointFile::remove() const noexcept {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  std::filesystem::remove(imageio::partial_path(path_), ignored);
}

}  // namespace synthoscope::jobs
