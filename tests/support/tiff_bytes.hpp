// SPDX-License-Identifier: MIT
// tests/support/tiff_bytes.hpp — TIFF files made byte by byte, also ones that no library writes.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace synthoscope::test {

/// TIFF's field types.
enum FieldType : std::uint16_t { kAscii = 2, kShort = 3, kLong = 4, kRational = 5, kLong8 = 16 };

struct Field {
  std::uint16_t tag;
  FieldType type;
  std::vector<std::uint64_t> values;  ///< rational: numerator in the low word, denominator above
  std::string text = {};
};

class TiffBytes {
 public:
  explicit TiffBytes(bool is_big_endian = false, bool is_big = false)
      : is_big_endian_{is_big_endian}, is_big_{is_big} {
    bytes_ = is_big_endian ? "MM" : "II";
    put(is_big ? 43 : 42, 2);
    if (is_big) {
      put(8, 2);
      put(0, 2);
    }
    link_ = bytes_.size();
    put_offset(0);
  }

  /// Appends data on an even offset and returns it.
  std::uint64_t append(const std::string& data) {
    if (bytes_.size() % 2) bytes_ += '\0';
    const auto offset = bytes_.size();
    bytes_ += data;
    return offset;
  }

  /// Appends a directory, links it behind the one before and returns its offset.
  std::uint64_t page(const std::vector<Field>& fields) {
    std::vector<std::string> values;
    for (const auto& field : fields) {
      std::string value = field.text.empty() ? "" : field.text + '\0';
      for (const auto v : field.values) value += encoded(v, field.type);
      values.push_back(value.size() <= inline_bytes() ? value
                                                      : word(append(value), inline_bytes()));
    }
    const auto offset = append("");
    link_to(offset);
    put(fields.size(), is_big_ ? 8 : 2);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      put(fields[i].tag, 2);
      put(fields[i].type, 2);
      put_offset(fields[i].text.empty() ? fields[i].values.size() : fields[i].text.size() + 1);
      bytes_ += values[i];
      bytes_.append(inline_bytes() - values[i].size(), '\0');
    }
    link_ = bytes_.size();
    put_offset(0);
    return offset;
  }

  /// Makes the last directory, or the header, point to `offset`.
  void link_to(std::uint64_t offset) {
    bytes_.replace(link_, inline_bytes(), word(offset, inline_bytes()));
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  /// `value` as `size` bytes in the file's order.
  [[nodiscard]] std::string word(std::uint64_t value, std::size_t size) const {
    std::string out;
    for (std::size_t i = 0; i < size; ++i)
      out += static_cast<char>(value >> 8 * (is_big_endian_ ? size - 1 - i : i) & 0xFF);
    return out;
  }

 private:
  [[nodiscard]] std::size_t inline_bytes() const { return is_big_ ? 8 : 4; }
  void put(std::uint64_t value, std::size_t size) { bytes_ += word(value, size); }
  void put_offset(std::uint64_t value) { put(value, inline_bytes()); }
  [[nodiscard]] std::string encoded(std::uint64_t value, FieldType type) const {
    if (type == kRational) return word(value & 0xFFFFFFFF, 4) + word(value >> 32, 4);
    return word(value, type == kShort ? 2 : type == kLong ? 4 : type == kLong8 ? 8 : 1);
  }

  bool is_big_endian_, is_big_;
  std::string bytes_;
  std::size_t link_ = 0;
};

/// Fields of a grey uncompressed page of one strip.
inline std::vector<Field> grey_page(std::uint64_t height, std::uint64_t width, std::uint64_t bits,
                                    std::uint64_t pixels_offset) {
  return {{256, kLong, {width}}, {257, kLong, {height}}, {258, kShort, {bits}},
          {259, kShort, {1}},    {262, kShort, {1}},     {273, kLong, {pixels_offset}},
          {277, kShort, {1}},    {278, kLong, {height}}, {279, kLong, {height * width * bits / 8}}};
}

/// The same fields with one replaced or added.
inline std::vector<Field> with(std::vector<Field> fields, Field change) {
  for (auto& field : fields)
    if (field.tag == change.tag) {
      field = std::move(change);
      return fields;
    }
  fields.push_back(std::move(change));
  return fields;
}

inline std::vector<Field> without(std::vector<Field> fields, std::uint16_t tag) {
  std::erase_if(fields, [tag](const Field& f) { return f.tag == tag; });
  return fields;
}

}  // namespace synthoscope::test
