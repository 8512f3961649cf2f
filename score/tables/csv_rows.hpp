// SPDX-License-Identifier: MIT
// score/tables/csv_rows.hpp — rows of comma-separated values, read one after another.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>
#include "imageio/input/file.hpp"

namespace synthoscope::score {

/// Reads a table of any length in the memory of one row and a block of 1 MiB.
/// @source  RFC 4180; also takes lines that end in a line feed alone, a byte order mark, and
///          semicolons or tabs if the first line has no comma.
class CsvRows {
 public:
  /// @throws IoError  the file is missing or unreadable.
  explicit CsvRows(const std::filesystem::path& path);

  /// Reads the next row that is not empty; false at the end of the file.
  /// @throws InvalidInput  a row is longer than 1 MiB, or holds a byte 0. IoError
  bool next();

  /// Returns the cells of the row, without quotes and without blanks around them. They are valid
  /// until the next row is read.
  [[nodiscard]] const std::vector<std::string_view>& cells() const { return cells_; }
  /// Returns the number of the row's first line, from 1.
  [[nodiscard]] std::int64_t line() const { return line_; }
  [[nodiscard]] std::string name() const { return file_.path().string(); }

 private:
  bool read_line();
  bool fill();
  void split();
  [[noreturn]] void refuse(const char* found) const;

  imageio::InputFile file_;
  std::vector<std::byte> block_;
  std::int64_t offset_ = 0;           ///< in the file, of the next block
  std::size_t place_ = 0, size_ = 0;  ///< in the block
  std::string row_;
  std::vector<std::string_view> cells_;
  std::int64_t line_ = 0, next_line_ = 1;
  char separator_ = 0;  ///< 0 before the first row
};

}  // namespace synthoscope::score
