// t, which a slider, the clock and the cursor of the plots move.

class Player {
  constructor(root, onTime) {
    this.onTime = onTime;
    this.at = interval.begin;
    this.playing = false;
    this.button = element("button", { type: "button", id: "play", text: "Play", onclick: () => this.toggle() });
    this.slider = element("input", {
      type: "range", id: "time", min: "0", max: "10000", step: "1", value: "0", "aria-label": "t",
      oninput: () => this.setTime(this.timeOf(Number(this.slider.value))),
    });
    this.output = element("output", { for: "time" });
    // All of t takes ten seconds, or as long as it says.
    const length = interval.end - interval.begin;
    const speeds = [...new Set([length / 10, 0.1, 0.25, 0.5, 1, 2, 5])].sort((a, b) => a - b);
    const usual = length > 2 && length < 60 ? 1 : length / 10;
    this.speed = element("select", { id: "speed", "aria-label": "Speed" },
      ...speeds.map((s) => element("option", { value: s, selected: s === usual, text: `${inWords(s, 3)} of t per second` })));
    this.loop = element("input", { type: "checkbox", id: "loop", checked: true });
    root.append(this.button, this.slider, this.output, this.speed, element("label", {}, this.loop, " again and again"));
    document.addEventListener("keydown", (event) => {
      if (event.key !== " " || /^(INPUT|SELECT|BUTTON|SUMMARY|TEXTAREA)$/.test(event.target.tagName)) return;
      event.preventDefault();
      this.toggle();
    });
    this.setTime(this.at);
  }

  timeOf(position) { return interval.begin + (interval.end - interval.begin) * position / 10000; }

  setTime(at) {
    this.at = Math.min(interval.end, Math.max(interval.begin, at));
    this.slider.value = String(Math.round(10000 * (this.at - interval.begin) / (interval.end - interval.begin || 1)));
    this.slider.setAttribute("aria-valuetext", `t = ${inWords(this.at, 5)}`);
    this.output.textContent = `t = ${inWords(this.at, 5)}`;
    this.onTime(this.at);
  }

  toggle() {
    this.playing = !this.playing;
    this.button.textContent = this.playing ? "Pause" : "Play";
    if (!this.playing) return;
    if (this.at >= interval.end) this.setTime(interval.begin);
    this.last = null;
    requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    if (!this.playing) return;
    if (this.last !== null) {
      let next = this.at + Number(this.speed.value) * (now - this.last) / 1000;
      if (next > interval.end) {
        if (!this.loop.checked) {
          this.setTime(interval.end);
          this.toggle();
          return;
        }
        next = interval.begin;
      }
      this.setTime(next);
    }
    this.last = now;
    requestAnimationFrame((later) => this.tick(later));
  }
}
