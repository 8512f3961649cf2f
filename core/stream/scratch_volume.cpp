// SPDX-License-Identifier: MIT
#include "core/stream/scratch_volume.hpp"
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include "core/base/assert.hpp"
#include "core/system/file_bytes.hpp"
#include "core/system/row_reader.hpp"
#include "core/system/system_failure.hpp"
#include "core/volume/box.hpp"

namespace synthoscope {
namespace {

int open_nameless(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
    return descriptor;
  // File systems without nameless files: the name goes at once
  std::string name = (folder / "synthoscope-scratch-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

ScratchVolume::ScratchVolume(const Extent3& extent, PixelType type, MemoryBudget& memory,
                             std::string_view what)
    : extent_{extent}, type_{type}, memory_{memory, bytes(), what}, voxels_{memory_.data()} {}

ScratchVolume::ScratchVolume(const Extent3& extent, PixelType type, cuda::DeviceId device,
                             MemoryBudget& memory, std::string_view what)
    : extent_{extent},
      type_{type},
      pinned_{device, memory, bytes(), what},
      voxels_{pinned_.data()} {}

ScratchVolume::ScratchVolume(const Extent3& extent, PixelType type,
                             const std::filesystem::path& folder)
    : extent_{extent}, type_{type}, folder_{folder.empty() ? "." : folder} {
  descriptor_ = open_nameless(folder_);
  if (descriptor_ < 0) fail(errno);
  try {
    take_room();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

ScratchVolume::~ScratchVolume() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ScratchVolume::take_room() const {
  const int failure = allocate_bytes(descriptor_, 0, bytes());
  if (failure == 0) return;
  if (failure != EOPNOTSUPP && failure != ENOSYS) fail(failure);
  if (::ftruncate(descriptor_, bytes()) != 0) fail(errno);
}

void ScratchVolume::read(const Box3& box, VoxelView out) {
  SYNTHOSCOPE_ASSERT(contains(extent_, box), ==, true);
  const std::int64_t voxel = size_of(type_);
  RowReader rows{descriptor_};
  const auto check = [&](int failure) {
    if (failure != 0) fail(failure);
  };
  for_each_run(extent_, box, out.pitch(), [&](auto first, auto at, auto count) {
    const std::span run{out.data() + at * voxel, static_cast<std::size_t>(count * voxel)};
    if (descriptor_ < 0)
      std::memcpy(run.data(), voxels_ + first * voxel, run.size());
    else
      check(rows.add(first * voxel, run));
  });
  check(rows.finish());
}

void ScratchVolume::write(const Box3& box, ConstVoxelView voxels) {
  SYNTHOSCOPE_ASSERT(contains(extent_, box), ==, true);
  const std::int64_t voxel = size_of(type_);
  for_each_run(extent_, box, voxels.pitch(), [&](auto first, auto at, auto count) {
    const std::span run{voxels.data() + at * voxel, static_cast<std::size_t>(count * voxel)};
    if (descriptor_ < 0) {
      std::memcpy(voxels_ + first * voxel, run.data(), run.size());
      return;
    }
    const Moved written = write_bytes(descriptor_, first * voxel, run);
    if (written.bytes < run.size()) fail(written.errno_value != 0 ? written.errno_value : EIO);
  });
}

std::optional<ConstVoxelView> ScratchVolume::device_readable() const {
  if (!pinned_.data()) return {};
  return ConstVoxelView{voxels_, type_, extent_};
}

std::optional<VoxelView> ScratchVolume::device_writable() {
  if (!pinned_.data()) return {};
  return VoxelView{voxels_, type_, extent_};
}

void ScratchVolume::fail(int errno_value) const {
  struct statvfs disk {};
  const bool is_known = ::statvfs(folder_.c_str(), &disk) == 0;
  throw IoError(
      fmt::format("keep {} of intermediate results in {}: {}; {} are free there; {} with --scratch",
                  print_bytes(bytes()), folder_.string(), cause_of(errno_value),
                  is_known ? print_bytes(static_cast<std::int64_t>(disk.f_bavail * disk.f_frsize))
                           : "an unknown number of bytes",
                  remedy_of(errno_value, "choose another folder")));
}

}  // namespace synthoscope
