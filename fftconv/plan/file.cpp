// SPDX-License-Identifier: MIT
#include "fftconv/plan/file.hpp"
#include <fmt/format.h>
#include <limits>
#include "core/base/json.hpp"
#include "fftconv/fft/line_plan.hpp"
#include "fftconv/plan/cuts/candidates.hpp"
#include "fftconv/plan/cuts/layout.hpp"
#include "fftconv/plan/cuts/machine_json.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/plan/gpu/run_memory.hpp"
#include "fftconv/plan/gpu/sums.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr int kPlanFormat = 5;

Json triple(std::int64_t z, std::int64_t y, std::int64_t x) {
  return Json::array({z, y, x});
}
Json json_of(const Extent3& e) {
  return triple(e.z, e.y, e.x);
}

[[noreturn]] void refuse(std::string_view reason) {
  throw InvalidInput(fmt::format(
      "read the plan: it is no plan of this program ({}); write one with --dry-run --json",
      reason));
}

std::int64_t integer_from(const Json& json) {
  if (!json.is_number_integer()) refuse(fmt::format("{} is no whole number", text_of(json)));
  return whole_of(json);
}

Extent3 extent_from(const Json& json) {
  if (!json.is_array() || json.size() != 3)
    refuse(fmt::format("{} is no triple of z, y, x", text_of(json)));
  return {integer_from(json[0]), integer_from(json[1]), integer_from(json[2])};
}

/// A name that one of the *_named functions knows.
template <class Lookup>
auto named(const Json& json, const char* key, Lookup lookup) {
  const auto name = json.at(key).get<std::string>();
  const auto value = lookup(name);
  if (!value)
    throw InvalidInput(fmt::format(
        "read the plan: its {} '{}' is unknown to this version; make the plan again", key, name));
  return *value;
}

Json json_of(const Problem& p) {
  return {{"image", json_of(p.image)},
          {"kernel", json_of(p.kernel)},
          {"center", triple(p.center.z, p.center.y, p.center.x)},
          {"boundary", name_of(p.boundary)},
          {"shape", name_of(p.shape)},
          {"correlate", p.correlate},
          {"precision", name_of(p.precision)},
          {"remove_mean", p.remove_mean},
          {"terms", p.terms},
          {"may_sum", p.may_sum},
          {"is_product", p.is_product},
          {"image_voxel_bytes", p.image_voxel_bytes},
          {"result_voxel_bytes", p.result_voxel_bytes},
          {"source_voxel_bytes", p.source_voxel_bytes},
          {"kernel_voxel_bytes", p.kernel_voxel_bytes},
          {"sink_voxel_bytes", p.sink_voxel_bytes},
          {"image_made_on_gpu", p.image_made_on_gpu},
          {"gpu_beside_bytes", p.gpu_beside_bytes},
          {"beside_voxel_bytes", p.beside_voxel_bytes},
          {"whole_planes", p.order == BoxOrder::planes_in_order}};
}

Problem problem_from(const Json& json) {
  const Extent3 center = extent_from(json.at("center"));
  Problem p;
  p.image = extent_from(json.at("image"));
  p.kernel = extent_from(json.at("kernel"));
  p.center = {center.z, center.y, center.x};
  p.boundary = named(json, "boundary", boundary_named);
  p.shape = named(json, "shape", shape_named);
  p.correlate = json.at("correlate").get<bool>();
  p.precision = named(json, "precision", precision_named);
  p.remove_mean = json.at("remove_mean").get<bool>();
  p.terms = integer_from(json.at("terms"));
  p.may_sum = json.at("may_sum").get<bool>();
  p.is_product = json.at("is_product").get<bool>();
  p.image_voxel_bytes = integer_from(json.at("image_voxel_bytes"));
  p.result_voxel_bytes = integer_from(json.at("result_voxel_bytes"));
  p.source_voxel_bytes = integer_from(json.at("source_voxel_bytes"));
  p.kernel_voxel_bytes = integer_from(json.at("kernel_voxel_bytes"));
  p.sink_voxel_bytes = integer_from(json.at("sink_voxel_bytes"));
  p.image_made_on_gpu = json.at("image_made_on_gpu").get<bool>();
  p.gpu_beside_bytes = integer_from(json.at("gpu_beside_bytes"));
  p.beside_voxel_bytes = integer_from(json.at("beside_voxel_bytes"));
  p.order = json.at("whole_planes").get<bool>() ? BoxOrder::planes_in_order : BoxOrder::any;
  return p;
}

Json json_of(const Cut& cut) {
  return {{"result", json_of(cut.result)},
          {"keep_transfer", cut.keep_transfer},
          {"direct_z", cut.direct_z},
          {"parts", cut.parts},
          {"along_y", cut.along_y},
          {"parts_on_disk", cut.parts_on_disk},
          {"fold_on_device", cut.fold_on_device},
          {"batch_planes", cut.batch_planes}};
}

Cut cut_from(const Json& json) {
  Cut cut;
  cut.result = extent_from(json.at("result"));
  cut.keep_transfer = json.at("keep_transfer").get<bool>();
  cut.direct_z = json.at("direct_z").get<bool>();
  cut.parts = integer_from(json.at("parts"));
  cut.along_y = json.at("along_y").get<bool>();
  cut.parts_on_disk = json.at("parts_on_disk").get<bool>();
  cut.batch_planes = integer_from(json.at("batch_planes"));
  cut.fold_on_device = json.at("fold_on_device").get<bool>();
  return cut;
}

Json json_of(const Machine& m) {
  return {{"host_bytes", m.host_bytes},
          {"process_bytes", m.process_bytes},
          {"rates", json_of(m.rates)},
          {"gpu", m.gpu ? json_of(*m.gpu) : Json{}},
          {"gpu_only", m.gpu_only}};
}

Machine machine_from(const Json& json) {
  Machine m{integer_from(json.at("host_bytes")), integer_from(json.at("process_bytes")),
            rates_from(json.at("rates"))};
  if (const Json& gpu = json.at("gpu"); !gpu.is_null()) m.gpu = gpu_from(gpu);
  m.gpu_only = json.at("gpu_only").get<bool>();
  return m;
}

Json json_of(const Candidate& c) {
  return {{"where", name_of(c.where)},
          {"strategy", name_of(c.strategy)},
          {"transform", json_of(c.transform)},
          {"cut", json_of(c.cut)},
          {"memory_bytes", c.memory_bytes},
          {"device_bytes", c.device_bytes},
          {"up_bytes", c.up_bytes},
          {"down_bytes", c.down_bytes},
          {"seconds", c.seconds},
          {"read_bytes", c.read_bytes},
          {"written_bytes", c.written_bytes},
          {"scratch_bytes", c.scratch_bytes},
          {"verdict", c.verdict}};
}

Candidate candidate_from(const Json& json) {
  Candidate c;
  c.where = named(json, "where", place_named);
  c.strategy = named(json, "strategy", strategy_named);
  c.transform = extent_from(json.at("transform"));
  c.cut = cut_from(json.at("cut"));
  c.memory_bytes = integer_from(json.at("memory_bytes"));
  c.device_bytes = integer_from(json.at("device_bytes"));
  c.up_bytes = integer_from(json.at("up_bytes"));
  c.down_bytes = integer_from(json.at("down_bytes"));
  c.seconds = json.at("seconds").get<double>();
  c.read_bytes = integer_from(json.at("read_bytes"));
  c.written_bytes = integer_from(json.at("written_bytes"));
  c.scratch_bytes = integer_from(json.at("scratch_bytes"));
  c.verdict = json.at("verdict").get<std::string>();
  return c;
}

Json json_of(const std::vector<MemoryItem>& items) {
  Json json = Json::array();
  for (const MemoryItem& item : items) json.push_back({{"what", item.what}, {"bytes", item.bytes}});
  return json;
}

std::vector<MemoryItem> items_from(const Json& json) {
  std::vector<MemoryItem> items;
  for (const Json& item : json)
    items.push_back({item.at("what").get<std::string>(), integer_from(item.at("bytes"))});
  return items;
}

/// True if a transform of `length` can be run and can make `results` results of an axis at once.
bool suits(const AxisGeometry& axis, std::int64_t results, std::int64_t length,
           std::int64_t complex_length) {
  if (results < 1 || results > axis.wanted || complex_length < 1) return false;
  const bool is_cyclic = complex_length == length;
  if (results == axis.wanted && is_cyclic && can_close(axis, length)) return can_transform(length);
  const std::int64_t least =
      results == axis.wanted ? axis.min_length : results + axis.kernel_count - 1;
  return length >= least && length <= 4 * least + 2 && can_transform(complex_length);
}

/// The same for the z axis, which may be summed directly or decimated.
bool suits_z(const AxisGeometry& z, const Cut& cut, std::int64_t length) {
  // A device that folds keeps no parts
  if (cut.fold_on_device && (cut.parts == 0 || cut.parts_on_disk)) return false;
  if (cut.direct_z)
    return length == 1 && cut.parts == 0 && !cut.keep_transfer && cut.result.z >= 1 &&
           cut.result.z < z.wanted && z.kernel_count <= kThinKernel;
  if (cut.parts == 0)
    return !cut.parts_on_disk && !cut.along_y && suits(z, cut.result.z, length, length);
  if (cut.parts < 1 || cut.parts > kMostParts || cut.keep_transfer) return false;
  const std::int64_t slabs = 2 * cut.parts, least = (z.min_length + slabs - 1) / slabs;
  return cut.result.z == z.wanted && length >= least && length <= 2 * least &&
         can_transform(length);
}

Strategy strategy_of(const Cut& cut, const Extent3& wanted) {
  if (cut.parts > 0) return Strategy::parts;
  if (cut.result.y < wanted.y || cut.result.x < wanted.x) return Strategy::tiles;
  return cut.result.z < wanted.z ? Strategy::ring : Strategy::in_core;
}

/// A plan for a GPU names one that can run it.
void require_place(const Plan& plan) {
  const Cut& cut = plan.cut;
  if (plan.where == Place::host) {
    if (cut.batch_planes != 0 || cut.fold_on_device) refuse("nothing travels to or from the host");
    return;
  }
  if (!plan.machine.gpu) refuse("it runs on a GPU, but names none");
  if (plan.problem.precision != Precision::float32 || cut.keep_transfer)
    refuse("what it says is not done on a GPU");
  // Rows of parts are complex
  const std::int64_t row = cut.parts > 0 ? plan.transform.x : plan.transform.x / 2;
  for (const std::int64_t length : {plan.transform.z, plan.transform.y, row})
    if (!device::is_device_length(length, plan.machine.gpu->limits))
      refuse(fmt::format("its GPU cannot transform {}", plan.transform));
  // A thin kernel's sums are one launch
  if (cut.direct_z && cut.result.z > kMostBatchPlanes)
    refuse(fmt::format("{} planes cannot be summed at once", cut.result.z));
  if (cut.batch_planes < 1 || cut.batch_planes > kMostBatchPlanes)
    refuse(fmt::format("{} planes cannot travel at once", cut.batch_planes));
}

void require_sums(const Plan& plan) {
  const Problem& p = plan.problem;
  const bool on_gpu = plan.where == Place::gpu;
  if (on_gpu && !plan.machine.gpu) refuse("it runs on a GPU, but names none");
  const std::string why_not =
      on_gpu ? device::why_no_gpu_sums(p, plan.strategy) : why_no_sums(p, plan.strategy);
  if (!why_not.empty()) refuse(why_not);
  Cut sums;
  sums.result = plan.cut.result;
  const Extent3 most = output_extent(p), &brick = sums.result;
  const bool is_within =
      is_positive(brick) && brick.z <= most.z && brick.y <= most.y && brick.x <= most.x;
  if (!is_within || !(plan.cut == sums) || !(plan.work == p) ||
      !(plan.transform == Extent3{1, 1, 1}) || p.terms > 1)
    refuse(fmt::format("it cannot be summed in bricks of {}", brick));
  const RunMemory memory = run_memory_of(plan);
  if (plan.memory != memory.host || plan.device_memory != memory.device)
    refuse("its memory does not follow from its bricks");
}

/// An executor trusts a plan's sizes: those of a file are compared with the planner's.
void require_consistent(const Plan& plan) {
  try {
    // Planning again finds sizes that cannot be counted
    (void)plan_convolution(plan.problem, {std::numeric_limits<std::int64_t>::max()});
  } catch (const InvalidSpec& failure) {
    refuse(failure.what());
  }
  if (is_by_sums(plan.strategy)) return require_sums(plan);
  if (!(plan.work == work_problem(plan.problem, plan.cut)))
    refuse("its work does not follow from its problem");
  const Layout least = make_layout(plan.work, {1, 1, 2});
  const Extent3 &t = plan.transform, &r = plan.cut.result;
  if (!suits_z(least.z, plan.cut, t.z) || !suits(least.y, r.y, t.y, t.y) || t.x % 2 != 0 ||
      !suits(least.x, r.x, t.x, t.x / 2))
    refuse(fmt::format("its transform of {} does not suit its problem", t));
  const Strategy strategy = strategy_of(plan.cut, wanted_extent(plan.work));
  const bool cuts_planes =
      strategy == Strategy::parts && (r.y < least.y.wanted || r.x < least.x.wanted);
  if (plan.strategy != strategy || cuts_planes ||
      (strategy != Strategy::in_core && plan.problem.terms > 1))
    refuse(fmt::format("its strategy {} does not follow from its cut", name_of(plan.strategy)));
  require_place(plan);
  const RunMemory memory = run_memory_of(plan);
  if (plan.memory != memory.host || plan.device_memory != memory.device)
    refuse("its memory does not follow from its transform");
}

}  // namespace

std::string to_json(const Plan& plan) {
  Json json{{"format", kPlanFormat},
            {"where", name_of(plan.where)},
            {"strategy", name_of(plan.strategy)},
            {"transform", json_of(plan.transform)},
            {"cut", json_of(plan.cut)},
            {"problem", json_of(plan.problem)},
            {"work", json_of(plan.work)},
            {"machine", json_of(plan.machine)}};
  json["memory"] = json_of(plan.memory);
  json["device_memory"] = json_of(plan.device_memory);
  for (const Candidate& c : plan.candidates) json["candidates"].push_back(json_of(c));
  return text_of(json);
}

Plan plan_from_json(std::string_view text) try {
  const auto json = parse_json(text);
  if (const std::int64_t format = whole_of(json.at("format")); format != kPlanFormat)
    throw InvalidInput(
        fmt::format("read the plan: it has format {}, this version reads {}; make the plan again",
                    format, kPlanFormat));
  Plan plan;
  plan.where = named(json, "where", place_named);
  plan.strategy = named(json, "strategy", strategy_named);
  plan.transform = extent_from(json.at("transform"));
  plan.cut = cut_from(json.at("cut"));
  plan.problem = problem_from(json.at("problem"));
  plan.work = problem_from(json.at("work"));
  plan.machine = machine_from(json.at("machine"));
  plan.memory = items_from(json.at("memory"));
  plan.device_memory = items_from(json.at("device_memory"));
  for (const auto& c : json.at("candidates")) plan.candidates.push_back(candidate_from(c));
  require_consistent(plan);
  return plan;
} catch (const Json::exception& e) {
  const std::string_view what = e.what();  // "[json.exception.type_error.302] type must be ..."
  refuse(what.substr(what.find("] ") + 2));
}

}  // namespace synthoscope::fftconv
