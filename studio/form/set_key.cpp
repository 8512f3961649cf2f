// SPDX-License-Identifier: MIT
#include "studio/form/set_key.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include "core/base/json.hpp"
#include "simulator/scene/file/toml.hpp"
#include "simulator/scene/keys.hpp"
#include "simulator/scene/unknown_key.hpp"
#include "studio/form/toml_text.hpp"

namespace synthoscope::studio {
namespace {

using simulator::entries_in_order;
using simulator::SceneKey;
using simulator::TomlEntry;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

const simulator::TomlPlace& place_of_scene() {
  static const simulator::TomlPlace kPlace{"the scene", true};
  return kPlace;
}

/// Returns a text in quotes. JSON escapes what TOML does, except the character DEL.
std::string quoted_toml(const std::string& text) {
  std::string quoted;
  for (const char c : text_of(Json(text))) quoted += c == '\x7F' ? "\\u007F" : std::string(1, c);
  return quoted;
}

/// Returns a value as TOML.
std::string toml_value(const Json& value, std::string_view full_name) {
  if (value.is_boolean() || value.is_number_integer()) return text_of(value);
  if (value.is_number()) return fmt::format("{}", value.get<double>());
  if (value.is_string()) return quoted_toml(value.get<std::string>());
  if (!value.is_array())
    throw InvalidSpec(fmt::format(
        "set {}: {} is no value of a scene; give a number, a text, true, false or a list of them",
        full_name, text_of(value)));
  std::string list;
  for (const Json& one : value) {
    if (one.is_structured() || one.is_null())
      throw InvalidSpec(
          fmt::format("set {}: {} is in the list; give numbers in it", full_name, text_of(one)));
    list += (list.empty() ? "" : ", ") + toml_value(one, full_name);
  }
  return "[" + list + "]";
}

bool is_written_as_table(const toml::node& node) {
  return node.is_array_of_tables() || (node.is_table() && !node.as_table()->is_inline());
}

/// A table of a scene in its text, and a key of it. The empty name is the top of the file.
class TableText {
 public:
  TableText(const TomlText& text, const toml::table& root, const SceneKey& key)
      : text_{text}, root_{root}, key_{key} {
    if (key.table.empty()) {
      table_ = &root;
    } else if (const toml::node* const node = root.get(key.table)) {
      table_ = node->as_table();
      if (!table_)
        throw InvalidSpec(
            fmt::format("set {}: {} is not a table in {}; write [{}] on a separate line",
                        key.full_name(), key.table, place_of_scene().at(*node), key.table));
    }
  }

  [[nodiscard]] bool is_there() const { return table_ != nullptr; }

  /// Returns the entry of the key, if it is given.
  [[nodiscard]] std::optional<TomlEntry> entry() const {
    if (table_)
      for (const TomlEntry& one : entries_in_order(*table_))
        if (one.name() == key_.name) return one;
    return std::nullopt;
  }

  [[nodiscard]] std::string with_value(const TomlEntry& entry, std::string_view value) const {
    return text_.with(text_.part(entry.node->source()), value);
  }

  [[nodiscard]] std::string without(const TomlEntry& entry) const {
    if (table_->is_inline()) return text_.with(part_in_braces(entry), "");
    const std::size_t begin = text_.line_begin(text_.byte_at(entry.key->source().begin));
    const std::size_t end = text_.byte_at(entry.node->source().end);
    return text_.with({begin, text_.line_end(end)}, "");
  }

  /// Returns the text with the key, which is not given, in its table, which is there.
  [[nodiscard]] std::string with_entry(std::string_view value) const {
    const std::string written = fmt::format("{} = {}", key_.name, value);
    if (table_->is_inline()) return with_entry_in_braces(written);
    if (const auto last = last_entry()) return with_line_after(*last, written);
    if (key_.table.empty()) return with_first_line_at_top(written);
    const std::size_t head = text_.byte_at(table_->source().begin);
    return text_.with_line(text_.line_end(head), written);
  }

  [[nodiscard]] std::string with_table(std::string_view value) const {
    const std::string_view newline = text_.newline();
    const bool is_first = is_blank(text_.text());
    const std::string lines = fmt::format("{}[{}]{}{} = {}", is_first ? "" : newline, key_.table,
                                          newline, key_.name, value);
    return text_.with_line(text_.text().size(), lines);
  }

 private:
  /// Returns the last key of the table that is not a table of several lines.
  [[nodiscard]] std::optional<TomlEntry> last_entry() const {
    std::optional<TomlEntry> last;
    for (const TomlEntry& one : entries_in_order(*table_))
      if (!is_written_as_table(*one.node)) last = one;
    return last;
  }

  /// Adds a line that begins as that of another key does: with its blanks, and with the name of the
  /// table if that key is dotted.
  [[nodiscard]] std::string with_line_after(const TomlEntry& other, std::string_view line) const {
    const std::size_t key = text_.byte_at(other.key->source().begin);
    const std::size_t begin = text_.line_begin(key);
    const std::string before = text_.text().substr(begin, key - begin);
    const std::size_t end = text_.byte_at(other.node->source().end);
    return text_.with_line(text_.line_end(end), fmt::format("{}{}", before, line));
  }

  /// Adds a line before the first table, and before comments that belong to it.
  [[nodiscard]] std::string with_first_line_at_top(std::string_view line) const {
    const auto entries = entries_in_order(root_);
    if (entries.empty()) return text_.with_line(text_.text().size(), line);
    const std::size_t table = text_.line_begin(text_.byte_at(entries.front().key->source().begin));
    std::size_t at = table;
    while (at > 0 && is_comment(text_.line(at - 1))) at = text_.line_begin(at - 1);
    if (at == 0) at = table;  // the comments are about the whole scene
    return text_.with_line(at, fmt::format("{}{}", line, text_.newline()));
  }

  [[nodiscard]] std::string with_entry_in_braces(std::string_view written) const {
    const auto last = last_entry();
    const std::size_t at =
        last ? text_.byte_at(last->node->source().end) : text_.byte_at(table_->source().begin) + 1;
    return text_.with({at, at}, fmt::format("{}{}", last ? ", " : "", written));
  }

  /// Returns an entry of an inline table with one of the commas next to it.
  [[nodiscard]] TextPart part_in_braces(const TomlEntry& entry) const {
    TextPart part{text_.byte_at(entry.key->source().begin),
                  text_.byte_at(entry.node->source().end)};
    const auto entries = entries_in_order(*table_);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].key != entry.key) continue;
      if (i > 0)
        part.begin = text_.byte_at(entries[i - 1].node->source().end);
      else if (entries.size() > 1)
        part.end = text_.byte_at(entries[1].key->source().begin);
    }
    return part;
  }

  const TomlText& text_;
  const toml::table& root_;
  const SceneKey& key_;
  const toml::table* table_ = nullptr;
};

std::string edited_text(const TableText& table, const SceneKey& key, const TomlText& text,
                        const Json& value) {
  const auto entry = table.entry();
  if (value.is_null()) return entry ? table.without(*entry) : text.text();
  const std::string written = toml_value(value, key.full_name());
  if (entry) return table.with_value(*entry, written);
  return table.is_there() ? table.with_entry(written) : table.with_table(written);
}

void erase_key(toml::table& root, const SceneKey& key) {
  if (key.table.empty()) {
    root.erase(key.name);
    return;
  }
  toml::table* const table = root[key.table].as_table();
  if (!table) return;
  table->erase(key.name);
  if (table->empty()) root.erase(key.table);
}

/// @param old  what was parsed before the change
/// @throws InvalidSpec  another key than `key` is changed: the text has a form that this file does
///                      not know.
void require_others_stay(toml::table old, const std::string& after, const SceneKey& key) {
  toml::table changed = parsed_toml(after, place_of_scene());
  erase_key(old, key);
  erase_key(changed, key);
  if (old != changed)
    throw InvalidSpec(fmt::format(
        "set {}: the scene is written in a form in which this key cannot be changed alone; change "
        "it in the text",
        key.full_name()));
}

}  // namespace

std::string set_key(std::string_view toml, std::string_view full_name, const Json& value) {
  const SceneKey* const key = simulator::find_key(full_name);
  if (!key) simulator::refuse_unknown_name(std::string{full_name}, "the form");
  const bool is_marked = toml.starts_with(kByteOrderMark);
  const TomlText text{std::string{toml.substr(is_marked ? kByteOrderMark.size() : 0)}};
  const toml::table root = parsed_toml(text.text(), place_of_scene());
  const std::string changed = edited_text(TableText{text, root, *key}, *key, text, value);
  require_others_stay(root, changed, *key);
  return std::string{is_marked ? kByteOrderMark : ""} + changed;
}

}  // namespace synthoscope::studio
