// Elements of the page.

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "text") made.textContent = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function svgElement(name, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const byId = (id) => document.getElementById(id);

/// Distinct for most eyes, on light and dark.
const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#8c6bb1", "#7f7f7f"];
const dashes = [null, [8, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 2, 2, 2]];

/// A table that scrolls in a narrow window.
function tableOf(caption, heads, rows) {
  const cell = (value) => (typeof value === "number"
    ? element("td", { class: "number", text: inWords(value) })
    : element("td", { text: value ?? "" }));
  const table = element("table", {},
    element("caption", { text: caption }),
    element("thead", {}, element("tr", {}, ...heads.map((h) => element("th", { scope: "col", text: h })))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell)))));
  return element("div", { class: "table", tabindex: "0", role: "region", "aria-label": caption }, table);
}
