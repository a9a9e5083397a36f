// What was asked, chosen and found, in tables; data to save.

function statusOf(run) {
  const status = element("div", { class: run.usable ? "status" : "status unusable", role: "status" });
  if (data.runs.length > 1) status.append(element("span", { text: `${run.label}: ` }));
  status.append(element("strong", { text: run.usable ? "usable" : "not usable" }), ` ${run.brief}`);
  const warnings = run.report.warnings ?? [];
  for (const warning of warnings) status.append(element("div", { class: "warning", text: `warning: ${warning}` }));
  if (run.report.advice && !run.brief.includes(run.report.advice)) status.append(element("div", { text: run.report.advice }));
  return status;
}

/// Entries of an object that are numbers or texts, as rows.
function plainRows(of) {
  return Object.entries(of ?? {})
    .filter(([, value]) => value === null || typeof value !== "object")
    .map(([key, value]) => [key.replaceAll("_", " "), typeof value === "boolean" ? (value ? "yes" : "no") : value]);
}

function factsOf(run) {
  const report = run.report;
  const root = element("div", { class: "facts" });
  if (data.runs.length > 1) root.append(element("h3", { text: run.label }));
  const parameters = Object.entries(report.problem_parameters ?? {});
  if (parameters.length > 0) root.append(tableOf("Parameters of the problem", ["parameter", "value"], parameters));
  const choices = report.choices ?? [];
  if (choices.length > 0) {
    root.append(tableOf("Settings", ["setting", "value", "by", "why"],
      choices.map((c) => [c.name, c.value, c.by_user ? "you" : "daewave", c.reason])));
  }
  const history = report.history ?? [];
  if (history.length > 0) {
    const keys = Object.keys(history[0]);
    root.append(tableOf("Iterates", keys.map((k) => k.replaceAll("_", " ")), history.map((h) => keys.map((k) => h[k]))));
  }
  const singular = report.singular_points ?? [];
  if (singular.length > 0) {
    const keys = Object.keys(singular[0]);
    root.append(tableOf("Singular points", keys.map((k) => k.replaceAll("_", " ")), singular.map((h) => keys.map((k) => h[k]))));
  }
  for (const [key, title] of [["integration", "Integration"], ["error", "Error estimate"], ["conditioning", "Conditioning"],
                              ["linear_solve", "Linear systems"], ["seconds", "Seconds"]]) {
    const of = report[key];
    if (!of || of.available === false) continue;
    const rows = plainRows(of);
    if (rows.length > 0) {
      root.append(element("details", {}, element("summary", { text: title }), tableOf(title, ["", ""], rows)));
    }
  }
  return root;
}

function csvOf(run, number) {
  const quoted = (name) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  // Those behind the names are for the drawing alone.
  const columns = motions[number].slice(0, run.motion.names.length);
  const lines = [run.motion.names.map(quoted).join(",")];
  for (let i = 0; i < columns[0].length; ++i) lines.push(columns.map((c) => String(c[i])).join(","));
  return `${lines.join("\n")}\n`;
}

function saveButton(run, number) {
  const button = element("button", { type: "button", class: "save", text: `Save ${run.label} as CSV` });
  button.addEventListener("click", () => {
    const url = URL.createObjectURL(new Blob([csvOf(run, number)], { type: "text/csv" }));
    const link = element("a", { href: url, download: `${run.label.replace(/[^\w.=-]+/g, "_")}.csv` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  });
  return button;
}

function fillTables() {
  data.runs.forEach((run, number) => {
    byId("status").append(statusOf(run));
    byId("facts").append(factsOf(run));
    if (motions[number].length === 0) return;
    const missed = run.motion.missed === "" ? "" : `; ${run.motion.missed}`;
    byId("data-files").append(element("p", {}, saveButton(run, number),
      ` ${motions[number][0].length} rows of ${run.motion.names.length} columns${missed}`));
  });
}
