// SPDX-License-Identifier: MIT
// imageio/hdf5/chunks.hpp — an open HDF5 array whose chunks are read and decoded by any thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "imageio/hdf5/find.hpp"
#include "imageio/hdf5/storage.hpp"

namespace synthoscope::imageio {

/// Keeps the file open. Immutable, so threads may share it.
class Hdf5Chunks final : public ChunkDecoder {
 public:
  /// @throws IoError, InvalidSpec, InvalidInput as find_data_set and read_storage.
  Hdf5Chunks(const ImageName& name, const InputLimits& limits);

  [[nodiscard]] const Hdf5Storage& storage() const { return storage_; }
  [[nodiscard]] const InputFile& file() const { return file_; }
  [[nodiscard]] const Hdf5Handle& opened() const { return opened_; }
  [[nodiscard]] const Hdf5Handle& data_set() const { return found_.data_set; }
  [[nodiscard]] std::string name() const override { return file_.path().string(); }
  [[nodiscard]] const std::string& data_set_name() const { return found_.name; }

  void read(std::int64_t number, std::vector<std::byte>& elements) const override;
  [[nodiscard]] std::int64_t scratch_bytes() const override;

 private:
  [[nodiscard]] std::vector<std::int64_t> origin_of(std::int64_t number) const;
  /// A chunk as it is stored, and a bit for each filter that was not applied to it.
  struct Stored {
    std::vector<std::byte> bytes;
    std::uint32_t skipped = 0;
  };
  /// Nothing where it was never written.
  [[nodiscard]] std::optional<Stored> stored(std::int64_t number) const;
  [[nodiscard]] std::optional<Stored> stored_by_library(std::int64_t number) const;
  void read_by_library(std::int64_t number, std::span<std::byte> elements) const;
  void decode(std::int64_t number, Stored& stored, std::vector<std::byte>& elements) const;
  void fill(std::span<std::byte> elements) const;
  void require_believable(std::int64_t number, std::int64_t bytes) const;
  [[noreturn]] void refuse_chunk(std::int64_t number, const std::string& found) const;

  InputFile file_;
  Hdf5Handle opened_;
  Hdf5Found found_;
  Hdf5Storage storage_;
};

}  // namespace synthoscope::imageio
