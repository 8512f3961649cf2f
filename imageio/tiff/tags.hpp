// SPDX-License-Identifier: MIT
// imageio/tiff/tags.hpp — the raw entries of TIFF directories, read within bounds that the file's
// size sets, in either byte order.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "imageio/input/file.hpp"
#include "imageio/input/limits.hpp"

namespace synthoscope::imageio {

/// One entry; its value is inside `field` or at the offset that `field` holds.
struct TiffEntry {
  std::uint16_t tag = 0, type = 0;
  std::uint64_t count = 0;
  std::array<std::byte, 8> field{};
};

/// "tag 273 (StripOffsets)"; the number alone of tags that no reader here needs.
std::string print_tag(std::uint16_t tag);

/// One directory as stored in the file.
struct TiffRawDirectory {
  std::int64_t offset = 0;
  std::int64_t next = 0;  ///< 0 after the last
  std::vector<TiffEntry> entries;
  [[nodiscard]] const TiffEntry* find(std::uint16_t tag) const;
};

/// Reads the header of a TIFF or BigTIFF file at once and directories when asked. All errors are
/// InvalidInput and begin with "open PATH: ".
/// @source  TIFF 6.0 (Adobe, 1992), sections 2 and 8; BigTIFF (Joris Van Damme and others, 2004).
class TiffTags {
 public:
  /// What tables take while they are read is counted by `limits`, which outlives this.
  TiffTags(const InputFile& file, const InputLimits& limits);

  [[nodiscard]] bool is_big() const { return is_big_; }
  [[nodiscard]] bool is_foreign_order() const { return is_foreign_; }
  [[nodiscard]] std::int64_t first_directory() const { return first_; }

  [[nodiscard]] TiffRawDirectory directory(std::int64_t offset);

  /// All values of an integer entry.
  [[nodiscard]] std::vector<std::int64_t> integers(const TiffEntry& entry);
  /// The only or first value of an integer entry; `missing` when `entry` is null.
  [[nodiscard]] std::int64_t integer(const TiffEntry* entry, std::int64_t missing);
  /// Returns the value of a rational; nothing if it is absent, of another type, or not positive and
  /// finite.
  [[nodiscard]] std::optional<double> rational(const TiffEntry* entry) const;
  /// Text up to its first NUL.
  [[nodiscard]] std::string text(const TiffEntry& entry, const InputLimits& limits) const;

  /// Before the same tables are read once more.
  void forget_claims() { claimed_ = 0; }

  /// Bytes of tables read so far.
  [[nodiscard]] std::int64_t claimed() const { return claimed_; }

  /// Where the values of an entry are that does not hold them itself.
  [[nodiscard]] std::int64_t offset(const TiffEntry& entry) const {
    return offset_word(entry.field.data());
  }

  /// Throws InvalidInput: "open PATH: " + `found` + "; " + advice for a broken file.
  [[noreturn]] void broken(const std::string& found) const;

 private:
  template <class Word>
  [[nodiscard]] Word word(const std::byte* bytes) const;
  [[nodiscard]] std::int64_t offset_word(const std::byte* bytes) const;
  [[nodiscard]] std::vector<std::byte> payload(const TiffEntry& entry, std::int64_t unit) const;
  void claim(std::int64_t bytes);

  const InputFile& file_;
  const InputLimits& limits_;
  bool is_big_ = false, is_foreign_ = false;
  std::int64_t first_ = 0;
  std::int64_t claimed_ = 0;  ///< bytes of tables read so far; honest tables do not overlap
};

}  // namespace synthoscope::imageio
