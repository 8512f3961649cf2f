// SPDX-License-Identifier: MIT
#include "score/images/image_scores.hpp"
#include <cmath>
#include <limits>
#include "core/base/as_index.hpp"
#include "core/base/json.hpp"

namespace synthoscope::score {
namespace {

ErrorScores error_scores(double squared_error, const PairMoments& moments, double range,
                         double ssim, double ssim_3d) {
  PairMoments of_range = moments;
  of_range.truth_min = 0;
  of_range.truth_max = range;
  return {nrmse(squared_error, moments), psnr_db(squared_error, of_range), ssim, ssim_3d};
}

/// Null if it is not finite: JSON has no such numbers.
Json finite_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json_of(const ErrorScores& scores, bool has_volume) {
  Json json{{"nrmse", finite_json(scores.nrmse)},
            {"psnr", finite_json(scores.psnr)},
            {"ssim", finite_json(scores.ssim)}};
  if (has_volume) json["ssim_3d"] = finite_json(scores.ssim_3d);
  return json;
}

/// Adds the crossings of a curve.
void add_resolution(Json& json, const Resolution& resolution) {
  const auto add = [&](const char* um, const char* state, const Crossing& crossing) {
    json[um] = finite_json(crossing.um);
    json[state] = name_in(kCrossingStateNames, crossing.state);
  };
  add("seventh_um", "seventh", resolution.seventh);
  add("half_um", "half", resolution.half);
  add("half_bit_um", "half_bit", resolution.half_bit);
}

Json json_of(const FourierCurve& curve) {
  Json json;
  add_resolution(json, curve.resolution);
  Json frequencies = Json::array(), correlations = Json::array();
  for (std::size_t i = 0; i < curve.correlation.size(); ++i) {
    frequencies.push_back(static_cast<double>(i + 1) * curve.step_per_um);
    correlations.push_back(finite_json(curve.correlation[i]));
  }
  json["per_um"] = frequencies;
  json["correlation"] = correlations;
  json["samples"] = curve.samples;
  return json;
}

Json json_of(const DepthScores& plane, std::size_t z, const VoxelSize& voxel) {
  Json json{{"plane", z}, {"depth_um", static_cast<double>(z) * voxel.z_um}};
  json.update(json_of(plane.raw, false));
  json["fitted"] = json_of(plane.fitted, false);
  json["frc"] = Json::object();
  add_resolution(json["frc"], plane.rings);
  return json;
}

Json json_of(const std::vector<ObjectFlux>& objects) {
  const FluxQuantiles quantiles = quantiles_of(objects);
  Json list = Json::array();
  for (const ObjectFlux& object : objects)
    list.push_back({{"id", object.id},
                    {"voxels", object.voxels},
                    {"truth", finite_json(object.truth)},
                    {"result", finite_json(object.result)},
                    {"ratio", finite_json(object.ratio())}});
  return {{"objects", quantiles.objects},
          {"median", finite_json(quantiles.median)},
          {"q05", finite_json(quantiles.q05)},
          {"q25", finite_json(quantiles.q25)},
          {"q75", finite_json(quantiles.q75)},
          {"q95", finite_json(quantiles.q95)},
          {"each", list}};
}

}  // namespace

ImageScores image_scores(const ImageScoreRequest& request, const RunContext& context) {
  const ScoredImage &truth = request.truth, &result = request.result;
  require_same_grid(truth, result);
  const bool has_shells = request.shells && truth.voxels.extent().z > 1;
  if (has_shells) require_room_for_shells(truth, result, context);

  // Compare values
  const PlaneMoments moments = moments_of(truth, result, context);
  ImageScores scores;
  scores.extent = truth.voxels.extent();
  scores.voxel = request.voxel;
  scores.window = request.window;
  scores.fit = best_fit(moments.all);
  scores.pearson = pearson(moments.all);
  scores.truth_mean = moments.all.truth_mean;
  scores.result_mean = moments.all.result_mean;
  const double range = scores.data_range = moments.all.range();
  const std::vector<double> residuals = squared_residuals(truth, result, scores.fit, context);
  double residual = 0;
  for (const double plane : residuals) residual += plane;

  // Compare structure and spectra
  const StructuralSimilarity ssim =
      structural_similarity(truth, result, range, scores.fit, context);
  scores.rings = fourier_rings(truth, result, request.voxel, request.window, moments, context);
  if (has_shells)
    scores.shells = fourier_shells(truth, result, request.voxel, request.window, moments, context);
  if (request.labels) scores.objects = object_fluxes(truth, result, *request.labels, context);

  // Put them together, of the whole and by depth
  scores.raw = error_scores(moments.all.squared_error, moments.all, range, ssim.in_planes.raw,
                            ssim.in_volume.raw);
  scores.fitted =
      error_scores(residual, moments.all, range, ssim.in_planes.fitted, ssim.in_volume.fitted);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t z = 0; z < residuals.size(); ++z) {
    const PairMoments& plane = moments.planes[z];
    scores.planes.push_back(
        {error_scores(plane.squared_error, plane, range, ssim.planes[z].raw, kNone),
         error_scores(residuals[z], plane, range, ssim.planes[z].fitted, kNone),
         scores.rings.planes[z]});
  }
  return scores;
}

Json json_of(const ImageScores& scores) {
  const FourierCurve& curve = scores.shells ? *scores.shells : scores.rings.all;
  Json json = json_of(scores.raw, true);
  const bool has_resolution = scores.shells || scores.extent.z == 1;
  json["fsc_um"] = has_resolution ? finite_json(curve.resolution.seventh.um) : Json(nullptr);
  json["pearson"] = finite_json(scores.pearson);
  json["fitted"] = json_of(scores.fitted, true);
  json["gain"] = finite_json(scores.fit.gain);
  json["offset"] = finite_json(scores.fit.offset);
  json["truth_mean"] = finite_json(scores.truth_mean);
  json["result_mean"] = finite_json(scores.result_mean);
  json["data_range"] = finite_json(scores.data_range);
  json["extent"] = {scores.extent.z, scores.extent.y, scores.extent.x};
  json["voxel_um"] = {scores.voxel.z_um, scores.voxel.y_um, scores.voxel.x_um};
  json["fourier_window"] = name_in(kFourierWindowNames, scores.window);
  if (scores.shells) json["fsc"] = json_of(*scores.shells);
  json["frc"] = json_of(scores.rings.all);
  if (scores.objects) json["flux"] = json_of(*scores.objects);
  json["depth"] = Json::array();
  for (std::size_t z = 0; z < scores.planes.size(); ++z)
    json["depth"].push_back(json_of(scores.planes[z], z, scores.voxel));
  return json;
}

}  // namespace synthoscope::score
