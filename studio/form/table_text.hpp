// SPDX-License-Identifier: MIT
// studio/form/table_text.hpp — one table in the text of a scene, of the scene itself or of one of
// its channels.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include "simulator/scene/file/toml.hpp"
#include "studio/form/toml_text.hpp"

namespace synthoscope::studio {

/// A key, and the channel that gives it.
struct FormKey {
  std::string table, name;                     ///< the table is empty for keys at the top
  std::optional<std::size_t> channel = {};     ///< its place in the scene; none: the scene itself
  [[nodiscard]] std::string full_name() const  ///< for messages
  {
    return table.empty() ? name : table + "." + name;
  }
};

/// What messages call the text.
const simulator::TomlPlace& place_of_form();

/// Returns the list of the scene's channels; null if there is none.
const toml::array* channels_in_form(const toml::table& root);

/// Returns the table of the scene, or that of a channel. `what` begins the message.
/// @throws InvalidSpec  there is no such channel.
const toml::table& home_of(const toml::table& root, std::optional<std::size_t> channel,
                           std::string_view what);

/// Returns whether a node is a table that begins with a line "[name]", or a list of such tables.
bool has_head(const TomlText& text, const toml::node& node);

/// Returns the byte after the last value in a table and in the tables within it; of one without
/// values, after its head.
std::size_t end_of_values(const TomlText& text, const toml::table& table);

/// Returns the text with a line after the last value of a table that begins with a head: before
/// any other head.
std::string with_line_below_head(const TomlText& text, const toml::table& table,
                                 std::string_view line);

/// The table of a key in the text of a scene. All references must outlive it.
class TableText {
 public:
  /// @throws InvalidSpec  what has the name of the table is something else; as home_of.
  TableText(const TomlText& text, const toml::table& root, const FormKey& key);

  [[nodiscard]] bool is_there() const { return table_ != nullptr; }

  /// Returns the entry of the key, if it is given.
  [[nodiscard]] std::optional<simulator::TomlEntry> entry() const;

  /// Return the text with another value of the entry, and without the entry.
  [[nodiscard]] std::string with_value(const simulator::TomlEntry& entry,
                                       std::string_view value) const;
  [[nodiscard]] std::string without(const simulator::TomlEntry& entry) const;

  /// Returns the text with the key, which is not given, in its table, which is there.
  [[nodiscard]] std::string with_entry(std::string_view value) const;

  /// Returns the text with the key, whose table is not there: below a new head at the end of the
  /// text, or as a dotted key in its channel.
  [[nodiscard]] std::string with_table(std::string_view value) const;

 private:
  [[nodiscard]] std::optional<simulator::TomlEntry> last_entry(const toml::table& table) const;
  [[nodiscard]] std::string with_line_after(const simulator::TomlEntry& other,
                                            std::string_view line) const;
  [[nodiscard]] std::string with_first_line_at_top(std::string_view line) const;
  [[nodiscard]] std::string with_dotted_key(std::string_view value) const;
  [[nodiscard]] std::string with_entry_in_braces(const toml::table& table,
                                                 std::string_view written) const;
  [[nodiscard]] TextPart part_in_braces(const simulator::TomlEntry& entry) const;

  const TomlText& text_;
  const toml::table& home_;
  const FormKey& key_;
  const toml::table* table_ = nullptr;
};

}  // namespace synthoscope::studio
