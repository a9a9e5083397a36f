"""How a mechanism looks at a state: bodies, joints, rods and springs, as points of the ground."""

import numpy as np


class Drawing:
    """Of a model's drawing: {"spatial", "frames": [(name, first)], "parts": [{...}]}."""

    def __init__(self, said):
        self.spatial = said["spatial"]
        self.frames, self.parts = said["frames"], said["parts"]

    def placed(self, frame, point, states):
        """A point of a frame (-1: the ground), at each column of states; (2 or 3, m)."""
        point = np.asarray(point, dtype=float)
        size = 3 if self.spatial else 2
        if frame < 0:
            return np.repeat(point[:size, np.newaxis], states.shape[1], axis=1)
        first = self.frames[frame][1]
        if not self.spatial:
            x, y, phi = states[first:first + 3]
            c, s = np.cos(phi), np.sin(phi)
            return np.stack([x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]])
        return states[first:first + 3] + self.turned(frame, point, states)

    def turned(self, frame, direction, states):
        """A direction of a frame, as one of the ground."""
        direction = np.asarray(direction, dtype=float)
        size = 3 if self.spatial else 2
        if frame < 0:
            return np.repeat(direction[:size, np.newaxis], states.shape[1], axis=1)
        first = self.frames[frame][1]
        if not self.spatial:
            c, s = np.cos(states[first + 2]), np.sin(states[first + 2])
            return np.stack([c * direction[0] - s * direction[1], s * direction[0] + c * direction[1]])
        e = states[first + 3:first + 7]
        e0, vector = e[0] / np.linalg.norm(e, axis=0), e[1:] / np.linalg.norm(e, axis=0)
        column = np.repeat(direction[:, np.newaxis], states.shape[1], axis=1)
        cross = np.cross(vector, column, axis=0)
        return column + 2 * e0 * cross + 2 * np.cross(vector, cross, axis=0)

    def lines(self, states):
        """[(kind, (dimensions, points, m))] of all parts."""
        shown = []
        for part in self.parts:
            points = [self.placed(frame, at, states) for frame, at in part["points"]]
            if part["kind"] == "body" and part["points"][0][0] >= 0:
                frame = part["points"][0][0]
                center = self.placed(frame, (0, 0, 0), states)
                # A star from its own origin.
                path = [center]
                for point in points:
                    path += [point, center]
                points = path
            elif part["kind"] == "disk":
                points = self._circle(part, states)
            elif part["kind"] == "line":
                frame = part["points"][0][0]
                along = self.turned(frame, part["axis"], states)
                points = [points[0] - along, points[0] + along]
            shown.append((part["kind"], np.stack(points, axis=1)))
        return shown

    def _circle(self, part, states):
        frame, at = part["points"][0]
        at, radius = np.asarray(at, dtype=float), part["radius"]
        if self.spatial:
            normal = np.asarray(part["axis"], dtype=float)
            normal = normal / np.linalg.norm(normal)
            one = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
            one /= np.linalg.norm(one)
            other = np.cross(normal, one)
        else:
            one, other = np.array([1.0, 0, 0]), np.array([0, 1.0, 0])
        return [self.placed(frame, at + radius * (np.cos(a) * one + np.sin(a) * other), states)
                for a in np.linspace(0, 2 * np.pi, 41)]

    def scene(self, states):
        return _Scene(self.lines(states), self.spatial)


class _Scene:
    """The parts on axes of matplotlib."""

    _STYLES = {"body": dict(color="C0", linewidth=3), "rod": dict(color="C2", linewidth=1.5),
               "spring": dict(color="C1", linewidth=1, linestyle="--"),
               "line": dict(color="0.6", linewidth=1, linestyle=":"),
               "disk": dict(color="C3", linewidth=1.5),
               "pin": dict(color="k", marker="o", markersize=4, linestyle=""),
               "slider": dict(color="k", marker="s", markersize=6, linestyle="")}

    def __init__(self, parts, spatial):
        self._parts, self._spatial = parts, spatial

    def begin(self, ax):
        self._drawn = []
        for kind, points in self._parts:
            empty = [[]] * points.shape[0]
            line, = ax.plot(*empty, **self._STYLES.get(kind, {}))
            self._drawn.append(line)
        low = np.min([points.min(axis=(1, 2)) for _, points in self._parts], axis=0)
        high = np.max([points.max(axis=(1, 2)) for _, points in self._parts], axis=0)
        middle, half = (low + high) / 2, 0.55 * max(np.max(high - low), 1e-12)
        ax.set_xlim(middle[0] - half, middle[0] + half)
        ax.set_ylim(middle[1] - half, middle[1] + half)
        if self._spatial:
            ax.set_zlim(middle[2] - half, middle[2] + half)
        else:
            ax.set_aspect("equal")
        return self._drawn

    def show(self, i):
        for line, (_, points) in zip(self._drawn, self._parts):
            line.set_data(points[0, :, i], points[1, :, i])
            if self._spatial:
                line.set_3d_properties(points[2, :, i])
