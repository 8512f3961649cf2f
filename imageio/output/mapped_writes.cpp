// SPDX-License-Identifier: MIT
#include "imageio/output/mapped_writes.hpp"
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <algorithm>

namespace synthoscope::imageio {
namespace {

constexpr std::int64_t kPageBytes = 4096, kPieceBytes = std::int64_t{2} << 20;

bool lies_in_memory(int descriptor) {
  struct statfs file_system {};
  return ::fstatfs(descriptor, &file_system) == 0 && file_system.f_type == TMPFS_MAGIC;
}

}  // namespace

std::unique_ptr<MappedWrites> MappedWrites::of(int descriptor, std::int64_t bytes) {
  if (bytes <= 0 || ::sysconf(_SC_PAGESIZE) != kPageBytes || !lies_in_memory(descriptor))
    return nullptr;
  void* const pages = ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                             MAP_SHARED, descriptor, 0);
  if (pages == MAP_FAILED) return nullptr;
  ::madvise(pages, static_cast<std::size_t>(bytes), MADV_DONTFORK);
  return std::unique_ptr<MappedWrites>{new MappedWrites{static_cast<std::byte*>(pages), bytes}};
}

MappedWrites::~MappedWrites() {
  ::munmap(pages_, static_cast<std::size_t>(bytes_));
}

bool MappedWrites::write(std::int64_t offset, std::span<const std::byte> bytes) {
  const auto count = static_cast<std::int64_t>(bytes.size());
  if (offset < 0 || count > bytes_ - offset) return false;
  for (std::int64_t done = 0; done < count; done += kPieceBytes) {
    const auto piece = bytes.subspan(static_cast<std::size_t>(done))
                           .first(static_cast<std::size_t>(std::min(kPieceBytes, count - done)));
    if (!write_piece(offset + done, piece)) return false;
  }
  return true;
}

/// The kernel copies: if this process wrote to a page that others have cut off, a signal would end
/// it. The pages are unmapped at once, since mapped ones count as memory of this process.
bool MappedWrites::write_piece(std::int64_t offset, std::span<const std::byte> piece) const {
  const iovec from{const_cast<std::byte*>(piece.data()), piece.size()};
  const iovec to{pages_ + offset, piece.size()};
  const ssize_t written = ::process_vm_writev(::getpid(), &from, 1, &to, 1, 0);
  const std::int64_t begin = offset / kPageBytes * kPageBytes;
  const std::int64_t end = offset + static_cast<std::int64_t>(piece.size());
  ::madvise(pages_ + begin, static_cast<std::size_t>(end - begin), MADV_DONTNEED);
  return written == static_cast<ssize_t>(piece.size());
}

}  // namespace synthoscope::imageio
