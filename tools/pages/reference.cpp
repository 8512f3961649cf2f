// SPDX-License-Identifier: MIT
#include "tools/pages/reference.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/pages/help.hpp"
#include "tools/terminal/exit_code.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::string_view kPreface = R"(# Command line

One program, `synthoscope COMMAND`. Results go to standard output, everything else to standard
error. Sizes of volumes are written `Z,Y,X`; sizes of memory take K, M, G and T, in powers of 1024.
This page is made from the program by `synthoscope --help-markdown cli`; a test compares the two.

| command | does |
|---|---|
)";

constexpr std::string_view kRules = R"(
## Changes during a run

Images and data sets that a run reads must not change until it ends. Before the result gets its
name, the program compares device, inode, size and modification time of each file with those at the
start. If one differs, the run ends with code 3 and leaves no result. Scenes and cameras are read at
the start, and may change afterwards.

If another program truncates, removes or replaces the unfinished output, the run ends with code 4.
If a file with the name of the result appears during the run, that file is kept, the complete result
stays as NAME.partial, and the run ends with code 4.

## Signals

The first SIGINT, SIGTERM, SIGHUP or SIGUSR1 stops the run: it removes what it began, or keeps what
`--resume` needs, and ends with code 7. If the result is already complete, the run ends normally.
A second signal of the same kind ends the run at once with code 7; unfinished files remain, as after
a kill. SIGUSR2 stops the run as the first signal does, however often it comes. A signal that the
caller had ignored (`nohup`) stays ignored.
)";

constexpr std::string_view kMessages = R"(
## Times

With `--json`, `convolve`, `filter`, `resample`, `variance`, `words assign`, `detect`, `psf`,
`phantom` and `simulate` print `run.wall_seconds`, the seconds since the process began, and
`run.stages`, the seconds of each stage. Stages follow each other without overlap, so they sum to
the wall time. The work itself has stages of its own, such as `columns` or `filter`; the others are:

| stage | what is done |
|---|---|
| `start` | the program is loaded, and options are read |
| `open files` | inputs are opened and described |
| `kernel` | the kernel is read and checked |
| `prepare` | an operation, or the buffers and tables of a plan, are made |
| `start GPU` | CUDA is started |
| `plan` | the work is divided |
| `create file` | the result is created |
| `light` | `simulate`: light that is read several times is rendered once |
| `release memory` | buffers are given back |
| `check voxels` | voxels that are not finite are counted, if there are any |
| `hash inputs` | what was not hashed while it was read is read and hashed |
| `finish file` | OME-Zarr gets its smaller copies, and HDF5 its compressed chunks |
| `sync` | the result is flushed to the disk and gets its name; `simulate` also finishes files |
| `certify` | voxels are recomputed |
| `record` | `OUT.json` is written |

## Hashes

The record of a result, `OUT.json`, lists the inputs with their size and hashes in hexadecimal
digits. `xxh64` is XXH64 of the file, as `xxhsum -H1` prints it; it is missing for files larger than
256 MiB that were not read from begin to end, and it goes in version 1.0. `xxh3_tree` is XXH3 (64
bits) of the XXH3 of all blocks of the file, 8 bytes each, most significant first. A block has 64
KiB, doubled until the file has at most 65,536 blocks; the last block has what is left.

## Progress for programs

With `--progress json`, each line of standard error is one JSON object. Exceptions: errors in the
command line, everything with `--quiet`, and the message of a crash are plain text.

| field | type | meaning |
|---|---|---|
| `stage` | string | what is being done: `blur`, or `frame 2/5: blur` of a movie |
| `done` | integer | finished units of the stage, from 0 |
| `total` | integer | units of the stage; 0 if unknown |
| `seconds` | number | time since the stage began |

The four fields always occur together: at the start of a stage, at most ten times per second, and at
its end. Every other object has exactly one field: `note`, `warning`, `error` or `text` (the output
of `--verbose` and `--explain`), with the text of the message.

## Logs

`--log-file F` appends the messages of a run and the duration of its stages to F, also with
`--quiet`. A line has a time in UTC, the number of the process, a type and a sentence:

```
2026-11-23T22:48:09.123Z 4711 start synthoscope 0.1.0: synthoscope convolve a.tif k.tif -o b.tif
2026-11-23T22:48:09.251Z 4711 warning the border of kernel k.tif contains 3 % of its sum
2026-11-23T22:48:12.304Z 4711 stage blur: 200 of 200 in 3.051 s
2026-11-23T22:48:12.310Z 4711 end exit code 0 after 3.187 s
```

Types are `start`, `detail`, `note`, `warning`, `error`, `stage` and `end`. Details, such as how the
axes of an input were read, are written only to the log. A run that was killed has no `end`.

F is created if it does not exist. Before any work, the program reports an error if F is not a log,
or is also a file that the run reads, writes or uses (exit code 2), or cannot be written (exit code
4). If the disk fills later, the program warns once and continues.
)";

/// Returns the anchor that Markdown makes of a heading.
std::string anchor_of(std::string_view name) {
  std::string anchor{name};
  std::replace(anchor.begin(), anchor.end(), ' ', '-');
  return anchor;
}

std::string cli_page() {
  std::string page{kPreface};
  for (const auto& command : all_commands())
    page += fmt::format("| [{}](#{}) | {} |\n", command->name(), anchor_of(command->name()),
                        first_sentence(command->summary()));
  page += '\n';
  for_each_command([&](const Command& command, const OptionTable& table) {
    page += help_markdown(command.name(), command.summary(), table) + '\n';
  });
  page += "## Environment\n\n| variable | meaning |\n|---|---|\n";
  for (const auto& [variable, meaning] : environment_variables())
    page += fmt::format("| `{}` | {} |\n", variable, meaning);
  page += kMessages;
  page += fmt::format("{}\n## Exit codes\n\n| code | meaning |\n|---|---|\n", kRules);
  for (const auto& [code, meaning] : exit_code_meanings())
    page += fmt::format("| {} | {} |\n", code, meaning);
  return page;
}

}  // namespace

std::string_view first_sentence(std::string_view text) {
  const std::string_view first = text.substr(0, text.find(". "));
  return first.ends_with('.') ? first.substr(0, first.size() - 1) : first;
}

std::vector<std::pair<std::string_view, std::string_view>> environment_variables() {
  return {{"SLURM_CPUS_PER_TASK", "threads, if --threads is not given"},
          {"OMP_NUM_THREADS", "threads, if neither is given"},
          {"NO_COLOR", "set to anything: no colours"}};
}

OptionTable program_options() {
  OptionTable table;
  const auto add = [&](std::string name, std::string value, std::string help) {
    table.add({std::move(name), std::move(value), "", "", std::move(help), {}});
  };
  add("help", "", "commands, one line each");
  add("version", "", "version of the program");
  add("list-commands", "", "names of the commands");
  add("man", "[COMMAND]", "manual page, to be shown by man");
  add("completion", "bash|zsh|fish", "completion script for a shell");
  add("help-markdown", "cli|scene", "reference page, in Markdown");
  return table;
}

std::string program_help() {
  std::string text =
      "usage: synthoscope COMMAND [arguments and options]\n\nSimulates microscopy images with "
      "exact ground truth,\nand convolves images of any size.\n\n";
  for (const auto& command : all_commands())
    text += fmt::format("  {:<15}{}\n", command->name(), first_sentence(command->summary()));
  text += fmt::format("\n  {:<38} {}\n", "synthoscope COMMAND --help",
                      "arguments and options of a command");
  const OptionTable options = program_options();
  for (const Option& option : options.groups().front().options)
    if (option.name != "help")
      text += fmt::format("  {:<38} {}\n", "synthoscope " + spelled_option(option), option.help);
  return text;
}

std::string command_list() {
  std::string text;
  for (const auto& command : all_commands()) text += fmt::format("{}\n", command->name());
  return text;
}

std::string family_help(std::string_view name) {
  std::string text = fmt::format("usage: synthoscope {} WHAT [arguments and options]\n\n", name);
  for (const auto& command : all_commands())
    if (command->name().starts_with(fmt::format("{} ", name)))
      text += fmt::format("  {:<15}{}\n", command->name(), first_sentence(command->summary()));
  return text + fmt::format("\n  synthoscope {} WHAT --help   arguments and options\n", name);
}

std::string reference_page(std::string_view name) {
  if (name == "cli") return cli_page();
  if (name == "scene") return simulator::scene_reference_markdown();
  throw InvalidSpec(
      fmt::format("print reference page '{}': there is none; the pages are cli and scene", name));
}

}  // namespace synthoscope::tools
