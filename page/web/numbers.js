"use strict";
// The numbers of the page, and where t is in them.

const data = JSON.parse(document.getElementById("data").textContent);

const arrays = data.arrays.map((text) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Float64Array(bytes.buffer);
});

/// Number of the last entry of an ordered t that is not beyond `at`; t may fall.
function rowBefore(t, at) {
  const falls = t[t.length - 1] < t[0];
  let low = 0, high = t.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (falls ? t[middle] >= at : t[middle] <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/// Values of columns at t, along lines between rows.
function rowAt(columns, at) {
  const t = columns[0];
  const i = rowBefore(t, at);
  if (i + 1 >= t.length) return columns.map((c) => c[i]);
  const length = t[i + 1] - t[i];
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, (at - t[i]) / length));
  return columns.map((c) => (part === 0 ? c[i] : (1 - part) * c[i] + part * c[i + 1]));
}

/// As people read them.
function inWords(value, digits = 6) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return String(value);
  if (!Number.isFinite(value)) return "none";
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e-4 && size < 1e7 ? String(Number(value.toPrecision(digits)))
                                    : value.toExponential(digits - 1);
}

const drawingOf = (run) => data.runs[run].drawing;

const motions = data.runs.map((run) => run.motion.columns.map((number) => arrays[number]));

/// Over all runs.
const interval = (() => {
  let begin = Infinity, end = -Infinity;
  const see = (t) => {
    if (t.length === 0) return;
    begin = Math.min(begin, t[0], t[t.length - 1]);
    end = Math.max(end, t[0], t[t.length - 1]);
  };
  for (const columns of motions) if (columns.length > 0) see(columns[0]);
  if (begin > end) for (const run of data.runs) for (const plot of run.plots) see(arrays[plot.t]);
  return begin > end ? { begin: 0, end: 1, empty: true } : { begin, end, empty: false };
})();
