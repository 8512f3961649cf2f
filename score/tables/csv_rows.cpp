// SPDX-License-Identifier: MIT
#include "score/tables/csv_rows.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include "core/base/error.hpp"

namespace synthoscope::score {
namespace {

constexpr std::size_t kCsvBlock = std::size_t{1} << 20, kLongestRow = kCsvBlock;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Returns whether a quoted cell is still open at the end of a text.
bool is_open(std::string_view text) {
  return std::count(text.begin(), text.end(), '"') % 2 != 0;
}

char separator_in(std::string_view header) {
  for (const char separator : {',', ';', '\t'})
    if (header.find(separator) != std::string_view::npos) return separator;
  return ',';
}

}  // namespace

CsvRows::CsvRows(const std::filesystem::path& path) : file_{path}, block_(kCsvBlock) {}

bool CsvRows::next() {
  do {
    row_.clear();
    line_ = next_line_;
    if (!read_line()) return false;
    while (is_open(row_)) {
      row_ += '\n';
      if (!read_line()) refuse("it has a quote that is never closed");
    }
    if (separator_ == 0 && row_.starts_with(kByteOrderMark)) row_.erase(0, kByteOrderMark.size());
  } while (without_blanks(row_).empty());
  if (separator_ == 0) separator_ = separator_in(row_);
  split();
  return true;
}

void CsvRows::refuse(const char* found) const {
  throw InvalidInput(fmt::format("read {}: line {}: {}; give a table of comma-separated values",
                                 name(), line_, found));
}

/// Appends the next line to the row, without its end; false if there is none.
bool CsvRows::read_line() {
  bool has_any = false;
  while (place_ < size_ || fill()) {
    has_any = true;
    const auto* const begin = reinterpret_cast<const char*>(block_.data()) + place_;
    const auto* const end = static_cast<const char*>(std::memchr(begin, '\n', size_ - place_));
    const std::size_t length = end ? static_cast<std::size_t>(end - begin) : size_ - place_;
    row_.append(begin, length);
    if (row_.size() > kLongestRow) refuse("it is longer than any row of a table");
    place_ += length + (end ? 1 : 0);
    if (end) break;
  }
  if (!has_any) return false;
  ++next_line_;
  if (row_.find('\0') != std::string::npos) refuse("it holds bytes that are no text");
  return true;
}

/// Reads the next block; false at the end of the file.
bool CsvRows::fill() {
  size_ = file_.read_some(offset_, block_);
  offset_ += static_cast<std::int64_t>(size_);
  place_ = 0;
  return size_ > 0;
}

/// Finds the cells of the row. Quotes are removed in place: a cell only becomes shorter.
void CsvRows::split() {
  cells_.clear();
  char* out = row_.data();
  const char* in = row_.data();
  const char* const end = in + row_.size();
  for (bool is_last = false; !is_last;) {
    const char* const cell = out;
    bool is_quoted = false;
    for (; in != end && (is_quoted || *in != separator_); ++in) {
      if (*in != '"')
        *out++ = *in;
      else if (is_quoted && in + 1 != end && in[1] == '"')
        *out++ = *in++;
      else
        is_quoted = !is_quoted;
    }
    cells_.push_back(without_blanks({cell, static_cast<std::size_t>(out - cell)}));
    is_last = in == end;
    if (!is_last) ++in;  // the separator's place is free: nothing of the next cell moves before it
  }
}

}  // namespace synthoscope::score
