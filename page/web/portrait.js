// Two components over each other, of problems that do not say how they look.

class Portrait {
  constructor(stage) {
    const names = data.runs[0].motion.names;
    const choose = (label, selected) => {
      const select = element("select", { "aria-label": label, onchange: () => this.redraw() },
        ...names.map((name, i) => element("option", { value: i, selected: i === selected, text: name })));
      return select;
    };
    this.across = choose("Across", Math.min(1, names.length - 1));
    this.up = choose("Upwards", Math.min(2, names.length - 1));
    stage.append(element("div", { class: "portrait-choice" }, this.up, element("span", { text: "over" }), this.across));
    this.svg = svgElement("svg", { role: "img", "aria-label": "Phase portrait" });
    stage.append(this.svg);
    this.redraw();
  }

  redraw() {
    this.svg.replaceChildren();
    const pairs = motions.map((columns) => (columns.length === 0 ? null
      : [columns[Number(this.across.value)], columns[Number(this.up.value)]]));
    this.ranges = [0, 1].map((k) => {
      let low = Infinity, high = -Infinity;
      for (const pair of pairs) {
        if (pair === null) continue;
        for (const value of pair[k]) if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
      }
      if (low > high) return [0, 1];
      return low === high ? [low - 1, high + 1] : [low, high];
    });
    this.svg.setAttribute("viewBox", "0 0 640 400");
    this.svg.append(svgElement("rect", { x: 60, y: 20, width: 560, height: 330, fill: "none", class: "grid" }));
    this.label(60, 372, inWords(this.ranges[0][0], 4));
    this.label(620, 372, inWords(this.ranges[0][1], 4), "end");
    this.label(56, 350, inWords(this.ranges[1][0], 4), "end");
    this.label(56, 30, inWords(this.ranges[1][1], 4), "end");
    const names = data.runs[0].motion.names;
    this.label(340, 392, names[Number(this.across.value)], "middle");
    this.label(56, 190, names[Number(this.up.value)], "end");
    this.runs = pairs.map((pair, run) => this.makeRun(pair, run));
    if (this.at !== undefined) this.setTime(this.at);
  }

  label(x, y, text, anchor = "start") {
    const made = svgElement("text", { class: "axis", x, y, "font-size": 13, "text-anchor": anchor });
    made.textContent = text;
    this.svg.append(made);
  }

  place(x, y) {
    const [[x0, x1], [y0, y1]] = this.ranges;
    return [60 + 560 * (x - x0) / (x1 - x0), 350 - 330 * (y - y0) / (y1 - y0)];
  }

  makeRun(pair, run) {
    if (pair === null) return null;
    const most = 8000, step = Math.max(1, Math.floor(pair[0].length / most));
    let path = "", pen = "M";
    for (let i = 0; i < pair[0].length; i += step) {
      const [x, y] = this.place(pair[0][i], pair[1][i]);
      if (!Number.isFinite(x + y)) { pen = "M"; continue; }
      path += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
      pen = "L";
    }
    const color = palette[run % palette.length];
    const line = svgElement("path", { class: "trail", d: path, stroke: color, "stroke-width": 1.5 });
    const dot = svgElement("circle", { class: "dot", r: 6, fill: color });
    this.svg.append(line, dot);
    return { line, dot };
  }

  setTime(at) {
    this.at = at;
    this.runs.forEach((made, run) => {
      if (made === null) return;
      const shown = runIsShown(run) ? "" : "none";
      made.line.style.display = made.dot.style.display = shown;
      const row = rowAt(motions[run], at);
      const [x, y] = this.place(row[Number(this.across.value)], row[Number(this.up.value)]);
      if (!Number.isFinite(x + y)) return;
      made.dot.setAttribute("cx", x);
      made.dot.setAttribute("cy", y);
    });
  }
}
