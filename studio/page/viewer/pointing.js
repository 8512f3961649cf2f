// SPDX-License-Identifier: MIT
// What pointer, wheel and keys do on the images.
import { listen } from "../base/dom.js";
import { planeAxes } from "./layout.js";
import { movedBy, spanOf, zoomedAt } from "./window.js";

const wheelStep = 1.0015;
const keyStep = 1.25;
const clickPixels = 3;

/** The keys and what they do, for the help. */
export const keyHelp = [
  ["Wheel, + and -", "zoom, at the pointer or the cursor"],
  ["Drag", "moves the images if they are zoomed, otherwise the cursor"],
  ["Click", "puts the cursor there, in all planes"],
  ["Double click, 0", "show everything"],
  ["Arrow keys", "move the cursor by a voxel, with Shift by 10"],
  ["Page Up and Page Down, . and ,", "next and previous plane, with Shift by 10"],
  ["Ctrl or Shift + wheel", "next and previous plane"],
  ["Home, End", "first and last plane"],
  ["?", "this help"],
];

// A browser sends a pinch as a wheel with Control, so that only the key itself tells them apart.
let controlIsDown = false;
listen(window, {
  keydown: ({ key }) => { if (key === "Control") controlIsDown = true; },
  keyup: ({ key }) => { if (key === "Control") controlIsDown = false; },
  blur: () => { controlIsDown = false; },
});

/** Makes the canvas of a pane answer; `hovered` gets the place under the pointer or null. */
export class Pointing {
  constructor(pane, view, hovered) {
    Object.assign(this, { pane, view, hovered, drag: null });
    listen(pane.canvas, {
      pointerdown: (event) => this.press(event),
      pointermove: (event) => this.move(event),
      pointerup: (event) => this.release(event),
      pointercancel: () => { this.drag = null; },
      pointerleave: () => hovered(null),
      dblclick: () => view.showEverything(),
      keydown: (event) => this.key(event),
    });
    pane.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Returns the plane under the pointer and the shares of its axes there, or null. */
  under({ clientX, clientY }) {
    const { canvas, rectangles } = this.pane;
    const bounds = canvas.getBoundingClientRect();
    const [x, y] = [clientX - bounds.left, clientY - bounds.top];
    const plane = rectangles.find((each) => x >= each.x && y >= each.y &&
      x < each.x + each.width && y < each.y + each.height);
    if (!plane) return null;
    const { across, down } = planeAxes[plane.kind];
    const [h, v] = [spanOf(this.view.window, across), spanOf(this.view.window, down)];
    return {
      plane,
      cursor: {
        ...this.view.cursor,
        [across]: h.from + (h.length * (x - plane.x)) / plane.width,
        [down]: v.from + (v.length * (y - plane.y)) / plane.height,
      },
    };
  }

  press(event) {
    const under = this.under(event);
    if (event.button !== 0 || !under) return;
    this.pane.canvas.setPointerCapture(event.pointerId);
    this.drag = { plane: under.plane, x: event.clientX, y: event.clientY, isClick: true };
    if (this.view.window.zoom === 1) this.view.set({ cursor: under.cursor });
  }

  move(event) {
    if (!this.drag) {
      this.hovered(this.under(event)?.cursor ?? null);
      return;
    }
    if (this.view.window.zoom === 1) {
      const cursor = this.under(event)?.cursor;
      if (cursor) this.view.set({ cursor });
      return;
    }
    const { plane, x, y, isClick } = this.drag;
    const [dx, dy] = [event.clientX - x, event.clientY - y];
    if (isClick && Math.hypot(dx, dy) < clickPixels) return;
    const { across, down } = planeAxes[plane.kind];
    const { zoom } = this.view.window;
    this.drag = { plane, x: event.clientX, y: event.clientY, isClick: false };
    this.view.look(movedBy(this.view.window, {
      [across]: -dx / plane.width / zoom, [down]: -dy / plane.height / zoom,
    }));
  }

  release(event) {
    const cursor = this.drag?.isClick && this.under(event)?.cursor;
    this.drag = null;
    if (cursor) this.view.set({ cursor });
  }

  wheel(event) {
    event.preventDefault();
    const delta = event.deltaY || event.deltaX;
    const under = this.under(event);
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 40 * delta : delta;
    if (event.shiftKey || controlIsDown) this.view.step("z", Math.sign(delta), this.pane.extent());
    else if (under) this.zoom(wheelStep ** -pixels, under.cursor);
  }

  zoom(factor, at = this.view.cursor) {
    this.view.look(zoomedAt(this.view.window, factor, at));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 10 : 1;
    const steps = {
      ArrowLeft: ["x", -far], ArrowRight: ["x", far], ArrowUp: ["y", -far], ArrowDown: ["y", far],
      PageUp: ["z", far], PageDown: ["z", -far], ".": ["z", 1], ",": ["z", -1], ">": ["z", 10],
      "<": ["z", -10], Home: ["z", -1e9], End: ["z", 1e9],
    };
    const others = {
      "+": () => this.zoom(keyStep), "=": () => this.zoom(keyStep),
      "-": () => this.zoom(1 / keyStep), 0: () => this.view.showEverything(),
    };
    if (steps[event.key]) this.view.step(...steps[event.key], this.pane.extent());
    else if (others[event.key]) others[event.key]();
    else return;
    event.preventDefault();
  }
}
