// Plots over t: those of equal titles of all runs are one.

class Plot {
  constructor(parts, cursor) {
    this.title = parts[0].plot.title;
    this.parts = parts; // [{run, plot}]
    this.onCursor = cursor;
    this.unit = parts[0].plot.unit;
    this.shown = [];
    this.makeCurves();
    this.makeElements();
  }

  makeCurves() {
    const several = data.runs.length > 1;
    const names = [];
    this.curves = [];
    for (const { run, plot } of this.parts) {
      for (const curve of plot.curves) {
        if (!names.includes(curve.name)) names.push(curve.name);
        this.curves.push({
          run, t: arrays[plot.t], values: arrays[curve.values],
          error: curve.error === undefined ? null : arrays[curve.error],
          name: several ? `${curve.name} [${data.runs[run].label}]` : curve.name,
          color: palette[names.indexOf(curve.name) % palette.length],
          dash: several ? dashes[run % dashes.length]
                        : dashes[Math.floor(names.indexOf(curve.name) / palette.length) % dashes.length],
          on: true,
        });
      }
    }
    this.bands = this.curves.some((curve) => curve.error !== null);
    // So many lines at once are none.
    const most = 24;
    this.curves.forEach((curve, i) => { curve.on = i < most; });
  }

  makeElements() {
    const unit = this.unit === "" ? "" : `, ${this.unit}`;
    this.box = element("div", {
      class: "plot-box", tabindex: "0", role: "img",
      "aria-label": `${this.title}${unit} over t: ${this.curves.map((c) => c.name).join(", ")}; the table below has the values`,
    });
    this.line = element("div", { class: "cursor" });
    this.legend = element("ul", { class: "legend" });
    this.values = this.curves.map((curve, i) => {
      const value = element("span", { class: "value" });
      const check = element("input", {
        type: "checkbox", checked: curve.on,
        onchange: (event) => this.show(i, event.target.checked),
      });
      const swatch = element("span", { class: "swatch" });
      swatch.style.borderTopColor = curve.color;
      swatch.style.borderTopStyle = curve.dash === null ? "solid" : "dashed";
      const label = element("label", {}, check, swatch, element("span", { text: curve.name }), value);
      this.legend.append(element("li", {}, label));
      return value;
    });
    const all = element("button", { type: "button", text: "All of t", onclick: () => this.showAll() });
    this.root = element("div", { class: "plot" },
      element("div", { class: "plot-head" }, element("h3", { text: `${this.title}${unit}` }), all),
      this.box, this.legend);
    const missed = this.parts.map(({ plot }) => plot.missed).filter((text) => text !== "");
    if (missed.length > 0) {
      this.root.append(element("p", { class: "missed", text: `Drawn from ${missed[0]}.` }));
    }
    this.root.append(this.table());
    this.box.addEventListener("keydown", (event) => this.key(event));
  }

  /// Rows over the t of all runs; [low, value, high] where there are bands.
  rows() {
    const times = this.sameTimes() ? this.curves[0].t : this.unionOfTimes();
    const rows = Array.from(times, (t) => [t]);
    const none = this.bands ? [null, null, null] : null;
    for (const curve of this.curves) {
      let k = 0;
      for (let i = 0; i < rows.length; ++i) {
        if (k < curve.t.length && curve.t[k] === times[i]) {
          const value = curve.values[k], error = curve.error === null ? 0 : curve.error[k];
          rows[i].push(this.bands ? [value - error, value, value + error] : value);
          ++k;
        } else {
          rows[i].push(none);
        }
      }
    }
    // dygraphs wants t to grow.
    if (rows.length > 1 && rows[0][0] > rows[rows.length - 1][0]) rows.reverse();
    return rows;
  }

  sameTimes() { return this.curves.every((curve) => curve.t === this.curves[0].t); }

  unionOfTimes() {
    const all = new Set();
    for (const curve of this.curves) for (const t of curve.t) all.add(t);
    const falls = this.curves.some((c) => c.t.length > 1 && c.t[0] > c.t[c.t.length - 1]);
    return Float64Array.from(all).sort((a, b) => (falls ? b - a : a - b));
  }

  draw() {
    // Where nothing is above zero, as of a drift that is zero throughout, there is no such axis.
    const logarithmic = this.parts[0].plot.logarithmic &&
      this.curves.some((curve) => curve.values.some((value) => value > 0));
    const points = this.parts[0].plot.points;
    const style = getComputedStyle(document.documentElement);
    const series = {};
    this.curves.forEach((curve, i) => {
      series[this.label(i)] = { color: curve.color, strokePattern: curve.dash ?? undefined };
    });
    const rows = this.rows();
    if (rows.length === 0) return;
    this.graph = new Dygraph(this.box, rows, {
      labels: ["t", ...this.curves.map((_, i) => this.label(i))],
      series,
      visibility: this.curves.map((curve) => curve.on),
      customBars: this.bands,
      fillAlpha: 0.25,
      logscale: logarithmic,
      drawPoints: points,
      strokeWidth: points ? 0 : 1.6,
      pointSize: points ? 2 : 1,
      xRangePad: 4,
      yRangePad: 6,
      connectSeparatedPoints: true,
      legend: "never",
      xlabel: "t",
      axisLineColor: style.getPropertyValue("--faint"),
      gridLineColor: style.getPropertyValue("--line"),
      axes: {
        x: { axisLabelFormatter: (x) => inWords(x, 4), pixelsPerLabel: 70 },
        y: { axisLabelFormatter: (y) => inWords(y, 4), axisLabelWidth: 70 },
      },
      digitsAfterDecimal: 6,
      highlightCircleSize: 4,
      underlayCallback: (context, area, graph) => this.marks(context, area, graph),
      highlightCallback: (event, x) => this.onCursor(x),
    });
    this.box.append(this.line);
    this.root.dataset.drawn = "yes";
  }

  label(i) { return `${i}:${this.curves[i].name}`; }

  /// Events and singular points.
  marks(context, area, graph) {
    const style = getComputedStyle(document.documentElement);
    context.save();
    context.strokeStyle = context.fillStyle = style.getPropertyValue("--faint");
    context.setLineDash([4, 4]);
    context.font = "11px sans-serif";
    let free = -Infinity; // Where the next label would not lie over the last.
    for (const { run } of this.parts) {
      if (!runIsShown(run)) continue;
      for (const mark of data.runs[run].marks) {
        const x = graph.toDomXCoord(mark.t);
        if (x < area.x || x > area.x + area.w) continue;
        context.beginPath();
        context.moveTo(x, area.y);
        context.lineTo(x, area.y + area.h);
        context.stroke();
        if (x < free) continue;
        context.fillText(mark.label, x + 3, area.y + 11);
        free = x + 12 + context.measureText(mark.label).width;
      }
    }
    context.restore();
  }

  show(i, on) {
    this.curves[i].on = on;
    if (this.graph) this.graph.setVisibility(i, on && runIsShown(this.curves[i].run));
  }

  showRuns() {
    if (this.graph) this.curves.forEach((curve, i) => this.graph.setVisibility(i, curve.on && runIsShown(curve.run)));
  }

  showAll() { if (this.graph) this.graph.resetZoom(); }

  /// Where t is, and the values there.
  setCursor(at) {
    if (!this.graph) return;
    const area = this.graph.getArea();
    const x = this.graph.toDomXCoord(at);
    const inside = x >= area.x && x <= area.x + area.w;
    this.line.style.display = inside ? "block" : "none";
    this.line.style.left = `${x}px`;
    this.line.style.height = `${area.y + area.h}px`;
    this.curves.forEach((curve, i) => {
      const [, value] = curve.t.length === 0 ? [0, NaN] : rowAt([curve.t, curve.values], at);
      this.values[i].textContent = Number.isFinite(value) ? inWords(value) : "";
    });
  }

  key(event) {
    if (!this.graph) return;
    const [begin, end] = this.graph.xAxisRange();
    const length = end - begin;
    const to = {
      "+": [begin + length / 4, end - length / 4], "=": [begin + length / 4, end - length / 4],
      "-": [begin - length / 2, end + length / 2],
      ArrowLeft: [begin - length / 10, end - length / 10],
      ArrowRight: [begin + length / 10, end + length / 10],
    }[event.key];
    if (event.key === "0") this.showAll();
    else if (to) this.graph.updateOptions({ dateWindow: to });
    else return;
    event.preventDefault();
  }

  /// For those who read rather than look.
  table() {
    const most = 60;
    const details = element("details", {}, element("summary", { text: `Values of ${this.title.toLowerCase()} in a table` }));
    details.addEventListener("toggle", () => {
      if (details.children.length > 1) return;
      const t = this.curves.length === 0 ? [] : this.curves[0].t;
      const rows = [];
      const step = Math.max(1, Math.ceil((t.length - 1) / (most - 1)));
      for (let i = 0; i < t.length; i += step) {
        rows.push([t[i], ...this.curves.map((c) => rowAt([c.t, c.values], t[i])[1])]);
      }
      details.append(tableOf(`${this.title}${step > 1 ? `, each ${step}th row` : ""}`,
        ["t", ...this.curves.map((c) => c.name)], rows));
    });
    return details;
  }
}

/// Plots in the order in which runs have them.
function makePlots(cursor) {
  const parts = new Map();
  data.runs.forEach((run, number) => {
    for (const plot of run.plots) {
      const key = JSON.stringify([plot.title, plot.unit]);
      if (!parts.has(key)) parts.set(key, []);
      parts.get(key).push({ run: number, plot });
    }
  });
  return [...parts.values()].map((of) => new Plot(of, cursor));
}

const hiddenRuns = new Set();
const runIsShown = (run) => !hiddenRuns.has(run);
