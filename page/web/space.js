// A mechanism in space, by three.js; z upwards.

class SpatialScene {
  constructor(stage) {
    this.stage = stage;
    this.canvas = element("canvas", { role: "img", tabindex: "0", "aria-label": "The mechanism at t; drag to look from elsewhere" });
    stage.append(this.canvas);
    try {
      this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    } catch (error) {
      this.canvas.remove();
      stage.append(element("p", { class: "hint", text: "This browser has no WebGL, which draws mechanisms in space." }));
      return;
    }
    this.scene = new THREE.Scene();
    this.bounds();
    this.light();
    this.runs = motions.map((columns, run) => this.makeRun(columns, run));
    new ResizeObserver(() => this.render()).observe(stage);
  }

  static pose(drawing, row, frame) {
    if (frame < 0) return { at: new THREE.Vector3(), turn: new THREE.Quaternion() };
    const k = drawing.frames[frame].first + 1;
    const turn = new THREE.Quaternion(row[k + 4], row[k + 5], row[k + 6], row[k + 3]);
    return { at: new THREE.Vector3(row[k], row[k + 1], row[k + 2]), turn: turn.normalize() };
  }

  static place(drawing, row, point) {
    const { at, turn } = SpatialScene.pose(drawing, row, point.frame);
    return new THREE.Vector3(...point.at).applyQuaternion(turn).add(at);
  }

  bounds() {
    const box = new THREE.Box3();
    motions.forEach((columns, run) => {
      const drawing = drawingOf(run);
      if (columns.length === 0) return;
      const rows = columns[0].length, step = Math.max(1, Math.floor(rows / 300));
      for (let i = 0; i < rows; i += step) {
        const row = columns.map((c) => c[i]);
        for (const part of drawing.parts) {
          if (part.kind === "line") continue;
          for (const point of part.points) box.expandByPoint(SpatialScene.place(drawing, row, point));
        }
        drawing.frames.forEach((_, f) => box.expandByPoint(SpatialScene.pose(drawing, row, f).at));
      }
    });
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    this.center = box.getCenter(new THREE.Vector3());
    this.size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-9);
    this.bottom = box.min.z;
  }

  light() {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x556070, 0.9));
    const sun = new THREE.DirectionalLight(0xffffff, 0.6);
    sun.position.set(1, -2, 3);
    this.scene.add(sun);
    const grid = new THREE.GridHelper(2 * this.size, 16, 0x8a94a3, 0x8a94a3);
    grid.material.transparent = true;
    grid.material.opacity = 0.35;
    grid.rotation.x = Math.PI / 2;
    grid.position.set(this.center.x, this.center.y, this.bottom - 0.02 * this.size);
    this.scene.add(grid);
    this.camera = new THREE.PerspectiveCamera(40, 2, this.size / 100, 20 * this.size);
    this.camera.up.set(0, 0, 1);
    this.camera.position.copy(this.center).add(new THREE.Vector3(0.9, -1.5, 0.8).multiplyScalar(this.size));
    this.controls = new THREE.OrbitControls(this.camera, this.canvas);
    this.controls.target.copy(this.center);
    this.controls.update();
    this.controls.addEventListener("change", () => this.render());
  }

  makeRun(columns, run) {
    const root = new THREE.Group();
    this.scene.add(root);
    const color = (i) => (data.runs.length > 1 ? palette[run % palette.length] : palette[i % palette.length]);
    const parts = drawingOf(run).parts.map((part, i) => {
      const material = new THREE.MeshLambertMaterial({ color: color(i) });
      const shape = this.shapeOf(part, material);
      shape.name = part.name;
      root.add(shape);
      return { part, shape };
    });
    return { columns, root, parts };
  }

  /// A bar of round section between two points of a group.
  bar(from, to, radius, material) {
    const along = to.clone().sub(from);
    const mesh = new THREE.Mesh(new THREE.CylinderBufferGeometry(radius, radius, Math.max(along.length(), 1e-12), 12), material);
    mesh.position.copy(from).addScaledVector(along, 0.5);
    if (along.length() > 0) mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.clone().normalize());
    return mesh;
  }

  shapeOf(part, material) {
    const thick = this.size / 120, group = new THREE.Group();
    if (part.kind === "body") {
      const center = new THREE.Vector3();
      for (const point of part.points) group.add(this.bar(center, new THREE.Vector3(...point.at), thick, material));
      group.add(new THREE.Mesh(new THREE.SphereBufferGeometry(1.6 * thick, 16, 12), material));
    } else if (part.kind === "disk") {
      const disk = new THREE.Mesh(new THREE.CylinderBufferGeometry(part.radius, part.radius, thick, 48), material);
      disk.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...part.axis).normalize());
      group.add(disk);
    } else if (part.kind === "pin" || part.kind === "slider") {
      const geometry = part.kind === "pin" ? new THREE.SphereBufferGeometry(1.4 * thick, 16, 12)
                                           : new THREE.BoxBufferGeometry(3 * thick, 3 * thick, 3 * thick);
      group.add(new THREE.Mesh(geometry, material));
    } else if (part.kind === "line") {
      const axis = new THREE.Vector3(...part.axis).normalize().multiplyScalar(2 * this.size);
      group.add(this.bar(axis.clone().negate(), axis, thick / 4, material));
    } else {
      group.add(this.bar(new THREE.Vector3(), new THREE.Vector3(0, 1, 0), thick / 2, material));
    }
    return group;
  }

  setTime(at) {
    if (!this.renderer) return;
    this.runs.forEach(({ columns, root, parts }, run) => {
      const drawing = drawingOf(run);
      root.visible = runIsShown(run) && columns.length > 0;
      if (columns.length === 0) return;
      const row = rowAt(columns, at);
      for (const { part, shape } of parts) this.move(drawing, part, shape, row);
    });
    this.render();
  }

  move(drawing, part, shape, row) {
    const points = part.points;
    const frame = points.length > 0 ? points[0].frame : drawing.frames.findIndex((f) => f.name === part.name);
    const { at, turn } = SpatialScene.pose(drawing, row, frame);
    if (part.kind === "body") {
      shape.position.copy(at);
      shape.quaternion.copy(turn);
      return;
    }
    const place = SpatialScene.place(drawing, row, points[0]);
    shape.position.copy(place);
    if (part.kind === "rod" || part.kind === "spring") {
      const along = SpatialScene.place(drawing, row, points[1]).sub(place);
      const length = Math.max(along.length(), 1e-12);
      shape.scale.set(1, length, 1);
      shape.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.divideScalar(length));
    } else {
      shape.quaternion.copy(turn);
    }
  }

  render() {
    const width = this.stage.clientWidth, height = this.canvas.clientHeight;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
  }
}
