# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_world.py — world.h5 holds all that masks are made from, and its page
# says how.
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

from held_run import HeldTest, later, needs_held_runs
from program import PROGRAM, SKIPPED, SOURCE, main, numpy

try:
    import h5py
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

# Chains of lobes and nucleoli that overlap, beside beads
SCENE = """seed = 3
frames = 2
[grid]
size = [24, 60, 64]
pitch_nm = [300, 150, 150]
[nuclei]
kind = "granulocyte"
count = 4
radius_um = 1.4
gap_um = -0.15
roughness = 0.08
degree = 6
nucleoli = 3
nucleolus_radius = 0.45
nucleolus_density = 0.25
texture = "none"
[beads]
count = 4
diameter_um = 0.9
[optics]
model = "gaussian"
na = 0.8
size = [3, 9, 9]
"""
# Settings for what does not depend on sizes: long and thin, since previews take time where there is
# much to paint
SMALL = ["--set", "grid.size=10,14,96", "--set", "nuclei.radius_um=0.4", "--set",
         "beads.diameter_um=0.3", "--set", "nuclei.gap_um=-0.05"]
SURFACE = 1e-9  # what a surface may be moved by, relative to the radius


class Grown:
    """A group whose objects are larger or smaller by a factor."""

    def __init__(self, group, factor):
        self.group, self.factor = group, factor

    def get(self, name, default):
        return Grown(self.group[name], self.factor) if name in self.group else default

    def __getitem__(self, name):
        found = self.group[name]
        if isinstance(found, h5py.Group):
            return Grown(found, self.factor)
        return found[:] * self.factor if name in ("semi_axes_um", "radius_um") else found[:]

    @property
    def attrs(self):
        return self.group.attrs


def page():
    """What the page about the file defines."""
    with open(os.path.join(SOURCE, "docs/reference/world.md"), encoding="utf-8") as file:
        text = file.read()
    defined = {}
    for script in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if "def " in script:
            exec(script, defined)
    return text, defined["masks_of"], defined["nucleolus_distance"]


class World(HeldTest):
    def setUp(self):
        super().setUp()
        self.text("scene.toml", SCENE)

    @classmethod
    def setUpClass(cls):
        """The set of the scene as it stands, which most tests look at."""
        super().setUpClass()
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.whole_set = os.path.join(scratch.name, "set")
        with open(os.path.join(scratch.name, "scene.toml"), "w", encoding="utf-8") as file:
            file.write(SCENE)
        subprocess.run([PROGRAM, "simulate", file.name, "-o", cls.whole_set, "--quiet"],
                       check=True, capture_output=True)

    def take_set(self):
        shutil.copytree(self.whole_set, self.path("set"))

    def simulate(self, folder, *settings):
        self.succeed("simulate", "scene.toml", "-o", folder, "--quiet", *settings)

    def world(self, folder):
        file = h5py.File(self.path(f"{folder}/world.h5"))
        self.addCleanup(file.close)
        return file

    def test_gives_the_masks_again_by_what_its_page_shows(self):
        self.take_set()
        world, masks_of = self.world("set"), page()[1]
        for frame in range(2):
            labels = self.read(f"set/labels_t{frame:03}.ome.tif")
            self.assertEqual(set(numpy.unique(labels)), {0, *range(8 * frame + 1, 8 * frame + 9)})
            masks = masks_of(world, frame)
            at_surface = (masks_of(Grown(world, 1 - SURFACE), frame) !=
                          masks_of(Grown(world, 1 + SURFACE), frame))
            self.assertLess(at_surface.sum(), 5)
            numpy.testing.assert_array_equal(masks[~at_surface], labels[~at_surface])

    def test_gives_the_masks_of_folded_nuclei_again(self):
        still = [word for key in ("fewest_lobes=1", "most_lobes=1", "gap_um=0.2", "folds=3",
                                  "fold_um=0.5") for word in ("--set", f"nuclei.{key}")]
        movie = ["--set", "time.interval_seconds=60", "--set", "time.diffusion_um2_per_second=1e-3"]
        for folder, settings in (("set", still), ("movie", [*still, *movie])):
            self.simulate(folder, *settings)
            world = self.world(folder)
            self.assertGreater(len(world["nucleus/fold/nucleus"]), 3)
            for frame in range(2):
                labels = self.read(f"{folder}/labels_t{frame:03}.ome.tif")
                masks = page()[1](world, frame)
                self.assertLess((masks != labels).sum(), 3)  # centres that lie on a surface

    def test_gives_the_masks_of_a_tissue_again(self):
        self.text("scene.toml", SCENE.replace("count = 4\nradius_um = 1.4", "count = 2\n"
                                              "radius_um = 1.4") + "[tissue]\ncount = 6\n")
        still = ["--set", "grid.size=24,48,52", "--set", "beads.count=0"]
        movie = [*still, "--set", "time.interval_seconds=60", "--set",
                 "time.drift_um_per_second=0,0.01,0"]
        for folder, settings in (("set", still), ("movie", movie)):
            self.simulate(folder, *settings)
            world = self.world(folder)
            self.assertEqual(len(world["nucleus/lobe/nucleus"]) > 0, True)
            self.assertEqual(len(set(world["tissue/lobe/cell"][:])),
                             len(world["tissue/nucleus/cell"]))
            for frame in range(2):
                labels = self.read(f"{folder}/labels_t{frame:03}.ome.tif")
                masks = page()[1](world, frame)
                self.assertLess((masks != labels).sum(), 5)  # centres that lie on a surface

    def test_tells_shapes_that_show_in_the_masks(self):
        """What a mistake in any of the numbers would change."""
        self.take_set()
        labels, masks_of = self.read("set/labels_t000.ome.tif"), page()[1]
        for column in ("centre_um", "lobe/offset_um", "lobe/turn", "lobe/semi_axes_um",
                       "lobe/roughness", "lobe/harmonics", "lobe/nucleus"):
            with self.subTest(column), h5py.File("other", "w", driver="core",
                                                 backing_store=False) as other:
                self.world("set").copy("nucleus", other)
                self.world("set").copy("bead", other)
                other.attrs["provenance"] = self.world("set").attrs["provenance"]
                values = other["nucleus"][column][:]
                # Every row has what the one before it should have
                other["nucleus"][column][:] = numpy.roll(values, 1, axis=0)
                self.assertGreater((masks_of(other, 0) != labels).sum(), 3)

    def test_tells_where_nucleoli_lie(self):
        self.take_set()
        self.succeed("phantom", "scene.toml", "-o", "light.tif", "--labels", "labels.tif",
                     "--quiet")
        light, labels = self.read("light.tif"), self.read("labels.tif")
        nuclei = self.world("set")["nucleus"]
        centres = (numpy.moveaxis(numpy.indices(light.shape), 0, -1) + 0.5) * [0.3, 0.15, 0.15]
        nearest = numpy.full(light.shape, numpy.inf)
        lobes, nucleoli = nuclei["lobe"], nuclei["nucleolus"]
        self.assertEqual(nucleoli["radius"].shape, (2 * 4 * 3,))
        for nucleolus, number in enumerate(nucleoli["nucleus"]):
            if number > 4:
                continue
            first = numpy.flatnonzero(lobes["nucleus"][:] == number)[0]
            lobe = first + nucleoli["lobe"][nucleolus]
            middle = nuclei["centre_um"][number - 1] + lobes["offset_um"][lobe]
            q = (centres - middle) @ lobes["turn"][lobe].T / lobes["semi_axes_um"][lobe]
            distance = numpy.linalg.norm(q - nucleoli["middle"][nucleolus], axis=-1)
            distance[labels != number] = numpy.inf
            nearest = numpy.minimum(nearest, distance / nucleoli["radius"][nucleolus])
        full = 4000 * 0.3 * 0.15 * 0.15
        # Within a nucleolus and its rim, and in voxels that lie wholly in one nucleus
        whole = numpy.ones(light.shape, bool)
        for steps in itertools.product((-1, 0, 1), repeat=3):
            whole &= numpy.roll(labels, steps, (0, 1, 2)) == labels
        within, outside = nearest < 0.84, whole & (nearest > 1.16) & (labels > 0) & (labels <= 4)
        self.assertGreater((whole & within).sum(), 10)
        self.assertGreater(outside.sum(), 100)
        numpy.testing.assert_allclose(light[whole & within], 0.25 * full, rtol=1e-5)
        numpy.testing.assert_allclose(light[outside], full, rtol=1e-5)

    def test_tells_the_warp_and_the_height_of_nucleoli(self):
        settings = [f"nuclei.{key}" for key in (
            "fewest_lobes=1", "most_lobes=1", "gap_um=0.2", "radius_um=1.6", "nucleolus_radius=0.3",
            "nucleolus_height=2.5", "nucleolus_parts=3", "nucleolus_roughness=0.4",
            "warp_wavelength_um=1.5")] + ["frames=1", "beads.count=0"]
        settings = [word for setting in settings for word in ("--set", setting)]
        self.simulate("set", *settings)
        self.succeed("phantom", "scene.toml", "-o", "light.tif", "--labels", "labels.tif",
                     "--quiet", *settings)
        light, labels = self.read("light.tif"), self.read("labels.tif")
        nuclei = self.world("set")["nucleus"]
        centres = (numpy.moveaxis(numpy.indices(light.shape), 0, -1) + 0.5) * [0.3, 0.15, 0.15]
        full = 4000 * 0.3 * 0.15 * 0.15
        whole = numpy.ones(light.shape, bool)
        for steps in itertools.product((-1, 0, 1), repeat=3):
            whole &= numpy.roll(labels, steps, (0, 1, 2)) == labels
        for n, number in enumerate(nuclei["id"]):
            its, distance = whole & (labels == number), page()[2](nuclei, n, centres)
            # In a nucleolus, its stain rises to that of the surroundings from 0.85 to 1.15
            w = numpy.clip((1.15 - distance[its]) / 0.3, 0, 1)
            self.assertGreater(min((w == 0).sum(), (w == 1).sum(), ((w > 0) & (w < 1)).sum()), 20)
            numpy.testing.assert_allclose(light[its], full * (1 - 0.75 * w * w * (3 - 2 * w)),
                                          rtol=1e-5)

    def test_tells_what_targets_are_made_of(self):
        cases = (("points", "point", lambda g, i, p: (abs(p) < 1e-9).all(-1)),
                 ("lines", "line", lambda g, i, p: (
                     (abs(p[..., 1]) <= g["half_length_um"][i]) &
                     (numpy.hypot(p[..., 0], p[..., 2]) <= g["radius_um"][i]))),
                 ("shells", "shell", lambda g, i, p: (
                     (numpy.linalg.norm(p, axis=-1) <= g["radius_um"][i]) &
                     (numpy.linalg.norm(p, axis=-1) >= g["inner_um"][i]))),
                 ("star", "star", lambda g, i, p: (
                     (abs(p[..., 0]) <= g["half_height_um"][i]) &
                     (numpy.hypot(p[..., 1], p[..., 2]) <= g["radius_um"][i]) &
                     (numpy.cos(g["spokes"][i] * numpy.arctan2(p[..., 1], p[..., 2])) >= 0))))
        shape = (12, 30, 64)
        centres = (numpy.moveaxis(numpy.indices(shape), 0, -1) + 0.5) * [0.3, 0.15, 0.15]
        for kind, name, holds in cases:
            with self.subTest(kind):
                # Off the lattice of voxel centres, where no voxel lies on a surface
                self.simulate(kind, "--set", f"target.kind={kind}", "--set", "nuclei.count=0",
                              "--set", "grid.size=12,30,64",
                              "--set", "beads.count=0", "--set", "frames=1", "--set",
                              "target.diameter_um=1.2345", "--set", "target.thickness_um=0.456",
                              "--set", "target.spokes=7", "--set", "target.spacing_um=1.7,1.8,1.9")
                world = self.world(kind)
                self.assertEqual(list(world), [name])
                masks = numpy.zeros(shape, "uint16")
                for i, number in enumerate(world[name]["id"]):
                    p = centres - world[name]["centre_um"][i]
                    masks[(masks == 0) & holds(world[name], i, p)] = number
                labels = self.read(f"{kind}/labels.ome.tif")
                self.assertGreater((labels > 0).sum(), 10)
                numpy.testing.assert_array_equal(masks, labels)

    def test_has_the_axes_of_its_texture(self):
        self.simulate("set", *SMALL, "--set", "nuclei.fewest_lobes=1", "--set",
                      "nuclei.most_lobes=1")
        nuclei = self.world("set")["nucleus"]
        numpy.testing.assert_array_equal(nuclei["turn"][:], nuclei["lobe/turn"][:])
        self.assertEqual(len(set(nuclei["texture_seed"][:])), 8)

    def test_is_described_whole(self):
        self.simulate("set", *SMALL, "--set", "target.kind=star")
        text, sets = page()[0], []
        self.world("set").visititems(
            lambda name, found: sets.append(name) if isinstance(found, h5py.Dataset) else None)
        self.assertGreater(len(sets), 20)
        table = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
        known = {name for line in table for name in re.findall(r"`([a-z/_0-9]+)`", line)}
        for line in table:  # "`bead/radius_um`, `shell/...`"
            column = re.match(r" `[a-z]+(/[a-z_0-9]+)`", line)
            known |= {name + column[1] for name in re.findall(r"`([a-z]+)/\.\.\.`", line)}
        for name in sets:
            plain = name.split("/")[-1]
            self.assertTrue(name in known or plain in ("id", "frame"), name)

    @needs_held_runs
    def test_has_equal_bytes_at_another_time_by_other_threads(self):
        def content(folder):
            with open(self.path(f"{folder}/world.h5"), "rb") as file:
                return file.read()
        self.simulate("one", *SMALL, "--threads", "1")
        ended = self.start("simulate", "scene.toml", "-o", "three", *SMALL, "--threads", "3",
                           environment=later(5)).end()  # HDF5 knows seconds
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(content("one"), content("three"))
        self.simulate("other", *SMALL, "--seed", "4")
        self.assertNotEqual(content("one"), content("other"))

    def test_is_small_and_there_without_objects(self):
        self.simulate("none", *SMALL, "--set", "nuclei.count=0", "--set", "beads.count=0")
        self.assertEqual(list(self.world("none")), [])
        self.assertLess(os.path.getsize(self.path("none/world.h5")), 8000)


if __name__ == "__main__":
    main()
