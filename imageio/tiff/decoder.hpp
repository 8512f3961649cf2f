// SPDX-License-Identifier: MIT
// imageio/tiff/decoder.hpp — decodes compressed strips and tiles through one libtiff handle.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "imageio/tiff/client.hpp"
#include "imageio/tiff/index.hpp"

namespace synthoscope::imageio {

/// Not for several threads at once: libtiff handles cannot be shared, so each thread borrows one.
class TiffDecoder {
 public:
  explicit TiffDecoder(const TiffIndex& index);
  TiffDecoder(const TiffDecoder&) = delete;
  TiffDecoder& operator=(const TiffDecoder&) = delete;

  /// The rows of one block, numbers of whole bytes in host byte order.
  /// @throws InvalidInput  the data are broken.
  /// @throws PlanError     the block is larger than the memory that is free.
  /// @throws IoError
  void decode(std::int64_t page, std::int64_t block, std::vector<std::byte>& rows);

 private:
  class FileClient final : public TiffClient {
   public:
    explicit FileClient(const InputFile& file) : file_{file} {}
    std::size_t read(std::int64_t at, std::span<std::byte> out) override {
      return file_.read_some(at, out);
    }
    void write(std::int64_t, std::span<const std::byte>) override {}  // nothing is written
    [[nodiscard]] std::int64_t size() const override { return file_.size(); }

   private:
    const InputFile& file_;
  };

  void go_to(std::int64_t page);
  bool decode_by_libtiff(std::int64_t block, bool is_tiled, std::span<std::byte> rows);
  bool decode_deflated(std::int64_t block, bool is_tiled, std::span<std::byte> rows);
  bool may_end_unwritten(std::span<const std::byte> rows);
  [[noreturn]] void fail(std::int64_t page, const std::string& what);

  const TiffIndex& index_;
  FileClient stream_;
  TiffHandle handle_;
  std::int64_t page_ = -1;
};

}  // namespace synthoscope::imageio
