// SPDX-License-Identifier: MIT
// How the files of a data set are written: their format, and the names and folders of a layout.
import { element, menu } from "../base/dom.js";

const formats = [["", "TIFF (OME)"], ["zarr", "OME-Zarr 0.4"], ["zarr3", "OME-Zarr 0.5"],
  ["hdf5", "HDF5"]];
/** [value, name, what it makes] */
const layouts = [
  ["", "images, masks, tables (synthoscope)",
    "The images, masks and photons are stacks in the format above; objects.csv lists the objects."],
  ["ctc", "Cell Tracking Challenge",
    "Images in 01/, masks in 01_GT/SEG/, masks and man_track.txt of the tracks in 01_GT/TRA/."],
  ["stardist", "StarDist", "Images in images/, and masks of the same names in masks/."],
  ["cellpose", "Cellpose", "Images in images/, each with its mask beside it as NAME_masks.tif."],
  ["coco", "COCO", "Images in images/, masks in masks/, boxes and outlines in annotations.json."],
  ["yolo", "YOLO", "Images in images/, masks in masks/, boxes in labels/, and data.yaml."],
  ["napari", "napari",
    "Images in images/, masks in masks/, and points.csv, or tracks-napari.csv of a movie."],
];

/**
 * Returns the menus of format and layout, with a line that says what the layout makes. `changed`
 * gets the name of an option of the server and its value.
 */
export function dataSetOptions(changed) {
  const help = element("p", { class: "hint", id: "run-layout-help", text: layouts[0][2] });
  const layout = menu("Layout", "run-layout", layouts, "", (value) => {
    help.textContent = layouts.find(([each]) => each === value)[2];
    changed("truth_layout", value);
  });
  layout.querySelector("select").setAttribute("aria-describedby", help.id);
  const format = menu("Format", "run-format", formats, "", (value) => changed("format", value));
  return [format, layout, help];
}
