// SPDX-License-Identifier: MIT
// imageio/tiff_decoder.hpp — decodes compressed strips and tiles through one libtiff handle.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>
#include "imageio/tiff_index.hpp"

struct tiff;

namespace synthoscope::imageio {

/// Not for several threads at once: libtiff handles cannot be shared, so each thread borrows one.
class TiffDecoder {
 public:
  explicit TiffDecoder(const TiffIndex& index);
  TiffDecoder(const TiffDecoder&) = delete;
  TiffDecoder& operator=(const TiffDecoder&) = delete;
  ~TiffDecoder();

  /// The pixels of one block in host byte order, valid until the next call. The last block is
  /// kept: reading a strip row by row decodes it once.
  /// @throws InvalidInput  the data are broken.
  /// @throws PlanError     the block is larger than the memory that is free.
  /// @throws IoError
  std::span<const std::byte> block(std::int64_t page, std::int64_t block);

  /// What libtiff's callbacks see.
  struct Stream {
    const InputFile* file;
    std::int64_t position = 0;
    std::exception_ptr failure;
    std::string message;
  };

 private:
  void go_to(std::int64_t page);
  [[noreturn]] void fail(std::int64_t page, const std::string& what);

  const TiffIndex& index_;
  Stream stream_;
  struct Close {
    void operator()(tiff* handle) const;
  };
  std::unique_ptr<tiff, Close> handle_;
  std::vector<std::byte> buffer_;
  std::int64_t page_ = -1, block_ = -1;
};

}  // namespace synthoscope::imageio
