// SPDX-License-Identifier: MIT
#include "imageio/chunks/filters.hpp"
#include <libdeflate.h>
#include <algorithm>
#include <memory>
#include <new>
#include "core/base/assert.hpp"

namespace synthoscope::imageio {
namespace {

struct Free {
  void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

/// Calls `body(shuffled, element)` with every pair of places that belong together.
template <std::size_t Size, class Body>
void for_each_byte(std::size_t count, Body&& body) {
  for (std::size_t lane = 0; lane < Size; ++lane)
    for (std::size_t i = 0; i < count; ++i) body(lane * count + i, i * Size + lane);
}

/// A size known while compiling lets the loops become vector instructions.
template <class Body>
void with_size(std::int64_t size, std::size_t count, Body&& body) {
  switch (size) {
    case 2:
      return for_each_byte<2>(count, body);
    case 4:
      return for_each_byte<4>(count, body);
    case 8:
      return for_each_byte<8>(count, body);
    default:
      SYNTHOSCOPE_ASSERT(size, ==, 1);
      return for_each_byte<1>(count, body);
  }
}

/// Sums 16-bit words, high byte first; a single last byte is the high byte of its word. Both sums
/// are modulo 65535.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  constexpr std::size_t kBlock = 2 * 360;  // the longest whose sums stay within 32 bits
  const auto fold = [](std::uint32_t sum) { return (sum & 0xFFFF) + (sum >> 16); };
  std::uint32_t low = 0, high = 0;
  for (std::size_t begin = 0; begin < bytes.size(); begin += kBlock) {
    const auto block = bytes.subspan(begin, std::min(kBlock, bytes.size() - begin));
    for (std::size_t i = 0; i < block.size(); i += 2) {
      low += std::to_integer<std::uint32_t>(block[i]) << 8;
      if (i + 1 < block.size()) low += std::to_integer<std::uint32_t>(block[i + 1]);
      high += low;
    }
    low = fold(low);
    high = fold(high);
  }
  return fold(high) << 16 | fold(low);
}

/// As versions before 1.6.3 wrote it on machines like most.
std::uint32_t with_swapped_bytes(std::uint32_t sum) {
  return (sum & 0x00FF00FF) << 8 | (sum >> 8 & 0x00FF00FF);
}

}  // namespace

void shuffle_bytes(std::span<const std::byte> elements, std::int64_t element_bytes,
                   std::span<std::byte> shuffled) {
  const std::size_t count = elements.size() / static_cast<std::size_t>(element_bytes);
  with_size(element_bytes, count,
            [from = elements.data(), to = shuffled.data()](std::size_t s, std::size_t e) {
              to[s] = from[e];
            });
  const auto whole = static_cast<std::ptrdiff_t>(count * static_cast<std::size_t>(element_bytes));
  std::copy(elements.begin() + whole, elements.end(), shuffled.begin() + whole);
}

void unshuffle_bytes(std::span<const std::byte> shuffled, std::int64_t element_bytes,
                     std::span<std::byte> elements) {
  const std::size_t count = elements.size() / static_cast<std::size_t>(element_bytes);
  with_size(element_bytes, count,
            [from = shuffled.data(), to = elements.data()](std::size_t s, std::size_t e) {
              to[e] = from[s];
            });
  const auto whole = static_cast<std::ptrdiff_t>(count * static_cast<std::size_t>(element_bytes));
  std::copy(shuffled.begin() + whole, shuffled.end(), elements.begin() + whole);
}

std::int64_t most_deflated_bytes(std::int64_t bytes) {
  return static_cast<std::int64_t>(
      libdeflate_zlib_compress_bound(nullptr, static_cast<std::size_t>(bytes)));
}

void deflate_bytes(std::span<const std::byte> bytes, int level, std::vector<std::byte>& packed) {
  const std::unique_ptr<libdeflate_compressor, Free> worker{libdeflate_alloc_compressor(level)};
  if (!worker) throw std::bad_alloc{};
  packed.resize(libdeflate_zlib_compress_bound(worker.get(), bytes.size()));
  packed.resize(libdeflate_zlib_compress(worker.get(), bytes.data(), bytes.size(), packed.data(),
                                         packed.size()));
  SYNTHOSCOPE_ASSERT(packed.size(), >, 0u);
}

bool inflate_bytes(std::span<const std::byte> packed, std::span<std::byte> bytes) {
  const std::unique_ptr<libdeflate_decompressor, Free> worker{libdeflate_alloc_decompressor()};
  if (!worker) throw std::bad_alloc{};
  return libdeflate_zlib_decompress(worker.get(), packed.data(), packed.size(), bytes.data(),
                                    bytes.size(), nullptr) == LIBDEFLATE_SUCCESS;
}

bool unlzf_bytes(std::span<const std::byte> packed, std::span<std::byte> bytes) {
  std::size_t in = 0, out = 0;
  while (in < packed.size()) {
    const auto control = std::to_integer<std::size_t>(packed[in++]);
    if (control < 32) {
      // A run of bytes as they are
      const std::size_t count = control + 1;
      if (count > packed.size() - in || count > bytes.size() - out) return false;
      std::copy_n(packed.begin() + static_cast<std::ptrdiff_t>(in), count,
                  bytes.begin() + static_cast<std::ptrdiff_t>(out));
      in += count;
      out += count;
      continue;
    }
    // A run that was met before; it may reach into itself
    std::size_t count = control >> 5;
    const auto next = [&] {
      return in < packed.size() ? std::to_integer<std::size_t>(packed[in++]) : bytes.size() + 1;
    };
    if (count == 7) count += next();
    const std::size_t distance = ((control & 31) << 8) + next() + 1;
    count += 2;
    if (distance > out || count > bytes.size() - out) return false;
    for (const std::size_t end = out + count; out < end; ++out) bytes[out] = bytes[out - distance];
  }
  return out == bytes.size();
}

std::optional<std::span<const std::byte>> without_fletcher32(std::span<const std::byte> stored) {
  constexpr std::size_t kSumBytes = 4;
  if (stored.size() < kSumBytes) return std::nullopt;
  const auto before = stored.first(stored.size() - kSumBytes);
  std::uint32_t said = 0;
  for (std::size_t i = 0; i < kSumBytes; ++i)
    said |= std::to_integer<std::uint32_t>(stored[before.size() + i]) << 8 * i;
  const std::uint32_t sum = fletcher32(before);
  if (said != sum && said != with_swapped_bytes(sum)) return std::nullopt;
  return before;
}

}  // namespace synthoscope::imageio
