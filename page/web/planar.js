// A mechanism in the plane, as SVG in metres with y upwards.

class PlanarScene {
  constructor(stage) {
    this.svg = svgElement("svg", { role: "img", "aria-label": "The mechanism at t" });
    stage.append(this.svg);
    this.bounds();
    this.size = Math.max(this.box.width, this.box.height);
    this.svg.setAttribute("viewBox",
      `${this.box.left} ${-this.box.top} ${this.box.width} ${this.box.height}`);
    this.drawGrid();
    this.runs = motions.map((columns, run) => this.makeRun(columns, run));
  }

  /// [x, y, phi] of a frame; the ground's is at rest.
  static pose(drawing, row, frame) {
    if (frame < 0) return [0, 0, 0];
    const first = drawing.frames[frame].first + 1;
    return [row[first], row[first + 1], row[first + 2]];
  }

  static place(drawing, row, point) {
    const [x, y, phi] = PlanarScene.pose(drawing, row, point.frame);
    const c = Math.cos(phi), s = Math.sin(phi);
    return [x + c * point.at[0] - s * point.at[1], y + s * point.at[0] + c * point.at[1]];
  }

  /// Wherever anything comes to.
  bounds() {
    let left = Infinity, right = -Infinity, bottom = Infinity, top = -Infinity;
    const see = ([x, y], radius) => {
      if (!Number.isFinite(x + y)) return;
      left = Math.min(left, x - radius);
      right = Math.max(right, x + radius);
      bottom = Math.min(bottom, y - radius);
      top = Math.max(top, y + radius);
    };
    motions.forEach((columns, run) => {
      const drawing = drawingOf(run);
      if (columns.length === 0) return;
      const rows = columns[0].length, step = Math.max(1, Math.floor(rows / 500));
      for (let i = 0; i < rows; i += step) {
        const row = columns.map((c) => c[i]);
        for (const part of drawing.parts) {
          if (part.kind === "line") continue;
          for (const point of part.points) see(PlanarScene.place(drawing, row, point), part.radius);
        }
        drawing.frames.forEach((_, f) => see(PlanarScene.pose(drawing, row, f), 0));
      }
    });
    if (left > right) { left = bottom = -1; right = top = 1; }
    const margin = 0.08 * Math.max(right - left, top - bottom, 1e-9);
    this.box = { left: left - margin, top: top + margin,
                 width: right - left + 2 * margin, height: top - bottom + 2 * margin };
  }

  /// Lines a round length apart, so that sizes can be read.
  drawGrid() {
    const raw = this.size / 6, power = 10 ** Math.floor(Math.log10(raw));
    const step = power * [1, 2, 5, 10].find((k) => k * power >= raw);
    const { left, top, width, height } = this.box;
    const add = (x1, y1, x2, y2) => this.svg.append(svgElement("line", {
      class: "grid", x1, y1: -y1, x2, y2: -y2, "stroke-width": this.size / 1200 }));
    const label = (x, y, value) => {
      const text = svgElement("text", { class: "axis", x, y: -y, "font-size": this.size / 40 });
      text.textContent = inWords(Number(value.toPrecision(6)), 4);
      this.svg.append(text);
    };
    for (let k = Math.ceil(left / step); k * step < left + width; ++k) {
      const x = k * step;
      add(x, top, x, top - height);
      label(x + this.size / 200, top - height + this.size / 100, x);
    }
    for (let k = Math.ceil((top - height) / step); k * step < top; ++k) {
      const y = k * step;
      add(left, y, left + width, y);
      label(left + this.size / 200, y + this.size / 200, y);
    }
  }

  makeRun(columns, run) {
    const root = svgElement("g");
    this.svg.append(root);
    const parts = drawingOf(run).parts.map((part) => ({ part, shape: this.shapeOf(part, run) }));
    // Lines under bodies under joints.
    const order = ["line", "disk", "body", "rod", "spring", "slider", "pin"];
    for (const kind of order) {
      for (const { part, shape } of parts) if (part.kind === kind) root.append(shape);
    }
    return { columns, root, parts };
  }

  shapeOf(part, run) {
    const width = this.size / 90;
    const shape = this.bareShape(part, width);
    shape.setAttribute("class", part.kind);
    shape.dataset.name = part.name;
    if (data.runs.length > 1) shape.style.stroke = palette[run % palette.length];
    const title = svgElement("title");
    title.textContent = `${part.name}`;
    shape.append(title);
    return shape;
  }

  bareShape(part, width) {
    switch (part.kind) {
      case "body": {
        const group = svgElement("g");
        group.append(svgElement("path", { d: this.outline(part.points), "stroke-width": width }));
        group.append(svgElement("circle", { class: "origin", r: width * 0.7 }));
        return group;
      }
      case "pin":
        return svgElement("circle", { r: width, "stroke-width": width / 2 });
      case "slider":
        return svgElement("rect", { x: -2 * width, y: -1.3 * width, width: 4 * width, height: 2.6 * width, "stroke-width": width / 2 });
      case "disk": {
        const group = svgElement("g");
        group.append(svgElement("circle", { r: part.radius, "stroke-width": width / 2 }));
        group.append(svgElement("path", { d: `M0 0H${part.radius}`, "stroke-width": width / 2 }));
        return group;
      }
      default:
        return svgElement("path", { "stroke-width": part.kind === "line" ? width / 3 : width / 2, fill: "none" });
    }
  }

  /// From point to point, and through the centre where they are no more than one.
  outline(points) {
    const at = points.map((p) => p.at);
    if (at.length === 1) at.push([0, 0]);
    if (at.length === 0) return "";
    const path = at.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x} ${-y}`).join("");
    return at.length > 2 ? `${path}Z` : path;
  }

  setTime(at) {
    this.runs.forEach(({ columns, root, parts }, run) => {
      const drawing = drawingOf(run);
      root.style.display = runIsShown(run) && columns.length > 0 ? "" : "none";
      if (columns.length === 0) return;
      const row = rowAt(columns, at);
      for (const { part, shape } of parts) this.move(drawing, part, shape, row);
    });
  }

  move(drawing, part, shape, row) {
    const degrees = (phi) => -phi * 180 / Math.PI;
    if (part.kind === "body") {
      const frame = part.points.length > 0 ? part.points[0].frame : drawing.frames.findIndex((frame) => frame.name === part.name);
      const [x, y, phi] = PlanarScene.pose(drawing, row, frame);
      shape.setAttribute("transform", `translate(${x} ${-y}) rotate(${degrees(phi)})`);
      return;
    }
    const places = part.points.map((point) => PlanarScene.place(drawing, row, point));
    const [x, y] = places[0];
    const phi = PlanarScene.pose(drawing, row, part.points[0].frame)[2];
    switch (part.kind) {
      case "pin":
        shape.setAttribute("transform", `translate(${x} ${-y})`);
        break;
      case "slider":
      case "disk":
        shape.setAttribute("transform", `translate(${x} ${-y}) rotate(${degrees(part.kind === "disk" ? phi : this.lineAngle(drawing, part, row))})`);
        break;
      case "line": {
        const a = Math.atan2(part.axis[1], part.axis[0]) + phi, far = 3 * this.size;
        const dx = far * Math.cos(a), dy = far * Math.sin(a);
        shape.setAttribute("d", `M${x - dx} ${-(y - dy)}L${x + dx} ${-(y + dy)}`);
        break;
      }
      case "spring":
        shape.setAttribute("d", this.zigzag(places[0], places[1]));
        break;
      default:
        shape.setAttribute("d", `M${x} ${-y}L${places[1][0]} ${-places[1][1]}`);
    }
  }

  /// Of the line that a slider is on, which has its name.
  lineAngle(drawing, part, row) {
    const line = drawing.parts.find((other) => other.kind === "line" && other.name === part.name);
    if (!line) return 0;
    return Math.atan2(line.axis[1], line.axis[0]) + PlanarScene.pose(drawing, row, line.points[0].frame)[2];
  }

  zigzag([x1, y1], [x2, y2]) {
    const turns = 12, width = this.size / 50;
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const nx = -(y2 - y1) / length * width, ny = (x2 - x1) / length * width;
    let path = `M${x1} ${-y1}`;
    for (let k = 1; k < turns; ++k) {
      const s = k / turns, side = k === 1 || k === turns - 1 ? 0 : k % 2 === 0 ? 1 : -1;
      path += `L${x1 + s * (x2 - x1) + side * nx} ${-(y1 + s * (y2 - y1) + side * ny)}`;
    }
    return `${path}L${x2} ${-y2}`;
  }
}
