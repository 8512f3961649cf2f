// SPDX-License-Identifier: MIT
#include "core/scratch_volume.hpp"
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include "core/assert.hpp"

namespace synthoscope {
namespace {

/// Calls `move(offset, box byte, count)` for every run of bytes that a box and a contiguous volume
/// have in common: whole planes, rows of a plane, or parts of a row.
template <class Move>
void for_each_run(const Extent3& whole, const Box3& box, std::int64_t voxel, Move&& move) {
  const bool full_rows = box.size.x == whole.x, full_planes = full_rows && box.size.y == whole.y;
  const std::int64_t planes = full_planes ? 1 : box.size.z, rows = full_rows ? 1 : box.size.y;
  const std::int64_t run = volume(box.size) / (planes * rows) * voxel;
  for (std::int64_t z = 0; z < planes; ++z)
    for (std::int64_t y = 0; y < rows; ++y) {
      const std::int64_t first =
          ((box.origin.z + z) * whole.y + box.origin.y + y) * whole.x + box.origin.x;
      move(first * voxel, (z * rows + y) * run, run);
    }
}

/// Repeats `call(done)` until `bytes` are moved; 0, or the reason why not.
template <class Call>
int move_all(std::int64_t bytes, Call&& call) {
  for (std::int64_t done = 0; done < bytes;) {
    const ssize_t moved = call(done);
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) return errno;
    if (moved == 0) return EIO;
    done += moved;
  }
  return 0;
}

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
    : extent_{extent}, type_{type}, memory_{memory, bytes(), what} {}

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
  if (::fallocate(descriptor_, 0, 0, bytes()) == 0) return;
  if (errno != EOPNOTSUPP && errno != ENOSYS) fail(errno);
  if (::ftruncate(descriptor_, bytes()) != 0) fail(errno);
}

void ScratchVolume::read(const Box3& box, VoxelView out) {
  SYNTHOSCOPE_ASSERT(contains(extent_, box), ==, true);
  SYNTHOSCOPE_ASSERT(out.is_contiguous(), ==, true);
  for_each_run(extent_, box, size_of(type_), [&](auto offset, auto at, auto count) {
    if (descriptor_ < 0) {
      std::memcpy(out.data() + at, memory_.data() + offset, static_cast<std::size_t>(count));
      return;
    }
    const int failure = move_all(count, [&](std::int64_t done) {
      return ::pread(descriptor_, out.data() + at + done, static_cast<std::size_t>(count - done),
                     offset + done);
    });
    if (failure != 0) fail(failure);
  });
}

void ScratchVolume::write(const Box3& box, ConstVoxelView voxels) {
  SYNTHOSCOPE_ASSERT(contains(extent_, box), ==, true);
  SYNTHOSCOPE_ASSERT(voxels.is_contiguous(), ==, true);
  for_each_run(extent_, box, size_of(type_), [&](auto offset, auto at, auto count) {
    if (descriptor_ < 0) {
      std::memcpy(memory_.data() + offset, voxels.data() + at, static_cast<std::size_t>(count));
      return;
    }
    const int failure = move_all(count, [&](std::int64_t done) {
      return ::pwrite(descriptor_, voxels.data() + at + done,
                      static_cast<std::size_t>(count - done), offset + done);
    });
    if (failure != 0) fail(failure);
  });
}

void ScratchVolume::fail(int errno_value) const {
  struct statvfs disk {};
  const bool is_known = ::statvfs(folder_.c_str(), &disk) == 0;
  throw IoError(fmt::format(
      "keep {} of intermediate results in {}: {}; {} are free there; make room or choose another "
      "folder with --scratch",
      print_bytes(bytes()), folder_.string(), std::system_category().message(errno_value),
      is_known ? print_bytes(static_cast<std::int64_t>(disk.f_bavail * disk.f_frsize))
               : "an unknown number"));
}

}  // namespace synthoscope
