// SPDX-License-Identifier: MIT
// imageio/tiff/client.hpp — memory and file descriptors that libtiff reads and writes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>

struct tiff;

namespace synthoscope::imageio {

/// Must outlive the handle that is opened on it.
class TiffClient {
 public:
  virtual ~TiffClient() = default;
  /// How many bytes of `out` there are from `position` on.
  virtual std::size_t read(std::int64_t position, std::span<std::byte> out) = 0;
  virtual void write(std::int64_t position, std::span<const std::byte> bytes) = 0;
  [[nodiscard]] virtual std::int64_t size() const = 0;

  std::int64_t position = 0;
  std::string message;         ///< libtiff's last error, empty if there was none
  std::exception_ptr failure;  ///< what `read` or `write` threw; it must not pass through libtiff
};

struct CloseTiff {
  void operator()(tiff* handle) const;
};
using TiffHandle = std::unique_ptr<tiff, CloseTiff>;

/// A handle on `client`, null if libtiff refuses. It allocates no piece above `largest_piece` bytes
/// unless that is 0.
TiffHandle open_tiff(TiffClient& client, const std::string& name, const char* mode,
                     std::int64_t largest_piece = 0);

}  // namespace synthoscope::imageio
