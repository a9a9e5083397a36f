// The page.

byId("title").textContent = data.title;
byId("subtitle").textContent = data.subtitle;
byId("made-by").textContent = `Made by ${data.made_by}.`;
fillTables();

const scene = (() => {
  const stage = byId("stage");
  if (interval.empty || motions.every((columns) => columns.length < 2)) {
    byId("moving").remove();
    document.querySelector("main").classList.add("still");
    return null;
  }
  if (data.runs.every((run) => run.drawing.parts.length === 0)) {
    byId("moving-title").textContent = "Phase portrait";
    return new Portrait(stage);
  }
  return data.runs.some((run) => run.drawing.spatial) ? new SpatialScene(stage) : new PlanarScene(stage);
})();

let player = null;
const plots = makePlots((at) => { if (player && !player.playing) player.setTime(at); });
for (const plot of plots) {
  byId("plots").append(plot.root);
  plot.draw();
}
const graphs = plots.map((plot) => plot.graph).filter((graph) => graph);
if (graphs.length > 1) Dygraph.synchronize(graphs, { zoom: true, selection: false, range: false });

if (scene) {
  player = new Player(byId("player"), (at) => {
    scene.setTime(at);
    for (const plot of plots) plot.setCursor(at);
  });
}

if (data.runs.length > 1) {
  data.runs.forEach((run, number) => {
    const check = element("input", {
      type: "checkbox", checked: true,
      onchange: (event) => {
        if (event.target.checked) hiddenRuns.delete(number);
        else hiddenRuns.add(number);
        for (const plot of plots) plot.showRuns();
        if (player) player.setTime(player.at);
      },
    });
    const swatch = element("span", { class: "swatch" });
    swatch.style.borderTopColor = palette[number % palette.length];
    byId("runs").append(element("label", {}, check, swatch, element("span", { text: run.label })));
  });
}

// Colours of axes are those of the scheme.
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  const style = getComputedStyle(document.documentElement);
  for (const graph of graphs) {
    graph.updateOptions({ axisLineColor: style.getPropertyValue("--faint"), gridLineColor: style.getPropertyValue("--line") });
  }
});
document.documentElement.dataset.ready = "yes";
