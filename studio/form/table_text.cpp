// SPDX-License-Identifier: MIT
#include "studio/form/table_text.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"

namespace synthoscope::studio {

using simulator::entries_in_order;
using simulator::TomlEntry;

const simulator::TomlPlace& place_of_form() {
  static const simulator::TomlPlace kPlace{"the scene", true};
  return kPlace;
}

const toml::array* channels_in_form(const toml::table& root) {
  const toml::node* const list = root.get("channel");
  return list && list->is_array_of_tables() ? list->as_array() : nullptr;
}

const toml::table& home_of(const toml::table& root, std::optional<std::size_t> channel,
                           std::string_view what) {
  if (!channel) return root;
  const toml::array* const list = channels_in_form(root);
  const std::size_t count = list ? list->size() : 0;
  if (*channel >= count)
    throw InvalidSpec(
        fmt::format("{} in channel {}: {}; give a channel of the scene", what, *channel,
                    count == 0 ? "the scene has none"
                               : fmt::format("there are those from 0 to {}", count - 1)));
  return *list->get(*channel)->as_table();
}

bool has_head(const TomlText& text, const toml::node& node) {
  if (!node.is_array_of_tables() && !node.is_table()) return false;
  const toml::node& first =
      node.is_array_of_tables() ? *node.as_array()->get(0) : node;  // has one at least
  const std::size_t begin = text.byte_at(first.source().begin);
  return begin < text.text().size() && text.text()[begin] == '[';
}

std::size_t end_of_values(const TomlText& text, const toml::table& table) {
  std::size_t end = text.byte_at(table.source().begin);
  for (const auto& [name, node] : table) {
    const bool is_spread = node.is_table() && !node.as_table()->is_inline();
    end = std::max(
        end, is_spread ? end_of_values(text, *node.as_table()) : text.byte_at(node.source().end));
  }
  return end;
}

std::string with_line_below_head(const TomlText& text, const toml::table& table,
                                 std::string_view line) {
  std::size_t end = text.byte_at(table.source().begin);
  for (const TomlEntry& one : entries_in_order(table)) {
    if (has_head(text, *one.node)) continue;
    const bool is_dotted = one.node->is_table() && !one.node->as_table()->is_inline();
    end = std::max(end, is_dotted ? end_of_values(text, *one.node->as_table())
                                  : text.byte_at(one.node->source().end));
  }
  return text.with_line(text.line_end(end), line);
}

TableText::TableText(const TomlText& text, const toml::table& root, const FormKey& key)
    : text_{text}, home_{home_of(root, key.channel, "set " + key.full_name())}, key_{key} {
  if (key.table.empty()) {
    table_ = &home_;
  } else if (const toml::node* const node = home_.get(key.table)) {
    table_ = node->as_table();
    if (!table_)
      throw InvalidSpec(
          fmt::format("set {}: {} is not a table in {}; write [{}] on a separate line",
                      key.full_name(), key.table, place_of_form().at(*node), key.table));
  }
}

std::optional<TomlEntry> TableText::entry() const {
  if (table_)
    for (const TomlEntry& one : entries_in_order(*table_))
      if (one.name() == key_.name) return one;
  return std::nullopt;
}

std::string TableText::with_value(const TomlEntry& entry, std::string_view value) const {
  return text_.with(text_.part(entry.node->source()), value);
}

std::string TableText::without(const TomlEntry& entry) const {
  if (table_->is_inline()) return text_.with(part_in_braces(entry), "");
  const std::size_t begin = text_.line_begin(text_.byte_at(entry.key->source().begin));
  const std::size_t end = text_.byte_at(entry.node->source().end);
  return text_.with({begin, text_.line_end(end)}, "");
}

std::string TableText::with_entry(std::string_view value) const {
  const std::string written = fmt::format("{} = {}", key_.name, value);
  if (table_->is_inline()) return with_entry_in_braces(*table_, written);
  if (const auto last = last_entry(*table_)) return with_line_after(*last, written);
  if (key_.table.empty() && !key_.channel) return with_first_line_at_top(written);
  const std::size_t head = text_.byte_at(table_->source().begin);
  return text_.with_line(text_.line_end(head), written);
}

std::string TableText::with_table(std::string_view value) const {
  if (key_.channel) return with_dotted_key(value);
  const std::string_view newline = text_.newline();
  const bool is_first = is_blank(text_.text());
  const std::string lines = fmt::format("{}[{}]{}{} = {}", is_first ? "" : newline, key_.table,
                                        newline, key_.name, value);
  return text_.with_line(text_.text().size(), lines);
}

/// Returns the last key of a table that is not a table of several lines.
std::optional<TomlEntry> TableText::last_entry(const toml::table& table) const {
  std::optional<TomlEntry> last;
  for (const TomlEntry& one : entries_in_order(table)) {
    const bool is_spread = one.node->is_table() && !one.node->as_table()->is_inline();
    if (!is_spread && !one.node->is_array_of_tables()) last = one;
  }
  return last;
}

/// Adds a line that begins as that of another key does: with its blanks, and with the name of the
/// table if that key is dotted.
std::string TableText::with_line_after(const TomlEntry& other, std::string_view line) const {
  const std::size_t key = text_.byte_at(other.key->source().begin);
  const std::size_t begin = text_.line_begin(key);
  const std::string before = text_.text().substr(begin, key - begin);
  const std::size_t end = text_.byte_at(other.node->source().end);
  return text_.with_line(text_.line_end(end), fmt::format("{}{}", before, line));
}

/// Adds a line before the first table, and before comments that belong to it.
std::string TableText::with_first_line_at_top(std::string_view line) const {
  const auto entries = entries_in_order(home_);
  if (entries.empty()) return text_.with_line(text_.text().size(), line);
  const std::size_t table = text_.line_begin(text_.byte_at(entries.front().key->source().begin));
  std::size_t at = table;
  while (at > 0 && is_comment(text_.line(at - 1))) at = text_.line_begin(at - 1);
  if (at == 0) at = table;  // the comments are about the whole scene
  return text_.with_line(at, fmt::format("{}{}", line, text_.newline()));
}

/// Adds "optics.na = 1.2" after the last value of the channel that no head separates from it.
std::string TableText::with_dotted_key(std::string_view value) const {
  const std::string written = fmt::format("{} = {}", key_.full_name(), value);
  if (home_.is_inline()) return with_entry_in_braces(home_, written);
  return with_line_below_head(text_, home_, written);
}

std::string TableText::with_entry_in_braces(const toml::table& table,
                                            std::string_view written) const {
  const auto last = last_entry(table);
  const std::size_t at =
      last ? text_.byte_at(last->node->source().end) : text_.byte_at(table.source().begin) + 1;
  return text_.with({at, at}, fmt::format("{}{}", last ? ", " : "", written));
}

/// Returns an entry of an inline table with one of the commas next to it.
TextPart TableText::part_in_braces(const TomlEntry& entry) const {
  TextPart part{text_.byte_at(entry.key->source().begin), text_.byte_at(entry.node->source().end)};
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

}  // namespace synthoscope::studio
