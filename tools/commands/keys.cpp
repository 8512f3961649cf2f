// SPDX-License-Identifier: MIT
// Lists the keys of scenes, or those that have to do with a word.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include "core/base/json.hpp"
#include "core/base/near_names.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/key_words.hpp"
#include "tools/commands/commands.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/terminal/result.hpp"
#include "tools/terminal/wrapped_text.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::size_t kKeyIndent = 4;

std::string text_of_key(const simulator::SceneKey& key) {
  std::string text = example_line(key) + '\n' + wrapped(key.help, kKeyIndent);
  std::string facts = type_words(key);
  if (key.range) facts += fmt::format(", {}", key.range->words());
  if (!key.unit.empty()) facts += fmt::format(", in {}", key.unit);
  return text + wrapped(fmt::format("{} (default: {})", facts, default_words(key)), kKeyIndent);
}

Json json_of_key(const simulator::SceneKey& key) {
  return {{"key", key.full_name()},
          {"type", type_words(key)},
          {"unit", key.unit},
          {"range", key.range ? Json(key.range->words()) : Json()},
          {"default", default_words(key)},
          {"help", key.help},
          {"example", example_line(key)}};
}

/// A line of [sweep], which is no key of a scene.
struct SweepLine {
  std::string_view line, help;
};

constexpr std::array<SweepLine, 3> kSweepLines{{
    {"sweep.optics.na = [0.8, 1.2]",
     "data sets for a list of values of any key, here optics.na, or for a range: {from = 0.8, to = "
     "1.4, step = 0.2}; several keys give all combinations, each in its own folder"},
    {"sweep.repeats = 3", "number of data sets for each combination of values"},
    {"sweep.seed = \"shared\"",
     "own: every data set has its own seed, and so its own objects; shared: all data sets of a "
     "repeat have the same objects, and differ only by the values"},
}};

/// Returns the lines of [sweep] that hold a word.
std::vector<SweepLine> sweep_lines_about(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<SweepLine> lines;
  for (const SweepLine& one : kSweepLines)
    if (word.empty() || one.line.find(word) != std::string_view::npos) lines.push_back(one);
  return lines;
}

/// @throws InvalidSpec  names keys with a similar name, if there are any.
[[noreturn]] void refuse_word(const std::string& word) {
  std::vector<std::string> names;
  for (const simulator::SceneKey& key : simulator::scene_keys()) names.push_back(key.name);
  const auto near = near_names(word, names);
  throw InvalidSpec(fmt::format(
      "keys: no key has '{}' in its name or meaning; {}give another word, or none for all keys",
      word, near.empty() ? "" : fmt::format("did you mean {}? Otherwise ", near.front())));
}

class Keys final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "keys"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Lists the keys of scenes. Each has its meaning, unit, range and default. The first "
           "line of each key can be copied to the top of a scene that has no such [table], or "
           "without blanks after --set.";
  }
  void describe(OptionTable& table) override {
    table.add_argument({"WORD", "", "", "",
                        "only keys with this in their name or meaning, such as exposure",
                        [this](std::string_view text) { word_ = text; }});
    table.group("Running");
    run_.describe_output(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles&) const override {}

  std::string word_;
  RunOptions run_;
};

void Keys::run(const Invocation&) {
  const auto keys = simulator::keys_about(word_);
  const auto sweep = sweep_lines_about(word_);
  if (keys.empty() && sweep.empty()) refuse_word(word_);
  if (run_.json) {
    Json rows = Json::array();
    for (const auto* key : keys) rows.push_back(json_of_key(*key));
    return print_json(Json{{"keys", rows}});
  }
  std::string text;
  for (const auto* key : keys) text += (text.empty() ? "" : "\n") + text_of_key(*key);
  for (const SweepLine& one : sweep)
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", one.line,
                        wrapped(std::string{one.help}, kKeyIndent));
  text.pop_back();
  print_text(text);
}

}  // namespace

std::unique_ptr<Command> make_keys() {
  return std::make_unique<Keys>();
}

}  // namespace synthoscope::tools
