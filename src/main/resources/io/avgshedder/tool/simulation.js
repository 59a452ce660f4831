"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const COLOURS = 8;
  const DASHES = [[], [7, 4], [2, 3]];
  const HEIGHT = 270;
  const PAPER_WIDTH = 960;
  const FLAG_ROOM = 24;
  const ZOOM = 1.6;
  const shown = data.lines.map(() => true);
  const figures = [];
  let run = 0;
  let lifted = null;

  const colourName = i => "--c" + i % COLOURS;
  const dash = i => DASHES[Math.floor(i / COLOURS) % DASHES.length];
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  };

  const last = data.minutes[data.minutes.length - 1];
  let most = 0;
  for (const strategy of data.strategies) {
    for (const each of strategy.runs) {
      for (const line of each.usage) {
        for (const value of line) {
          most = Math.max(most, value || 0);
        }
      }
    }
  }
  const top = Math.max(10, Math.ceil(most * 1.05 / 10) * 10);
  const range = { from: 0, to: last };

  function flags(u, sheds) {
    const context = u.ctx;
    const ratio = devicePixelRatio;
    const box = u.bbox;
    context.save();
    context.setLineDash([]);
    context.textAlign = "center";
    context.textBaseline = "bottom";
    context.font = 11 * ratio + "px " + getComputedStyle(document.body).fontFamily;
    let labelEnd = -Infinity;
    for (const [minute, unloads, harmful] of sheds) {
      if (minute < range.from || minute > range.to) {
        continue;
      }
      const x = Math.round(u.valToPos(minute, "x", true));
      context.strokeStyle = context.fillStyle = css(harmful ? "--bad" : "--mark");
      context.globalAlpha = 0.45;
      context.lineWidth = ratio;
      context.beginPath();
      context.moveTo(x, box.top);
      context.lineTo(x, box.top + box.height);
      context.stroke();
      context.globalAlpha = 1;
      const r = 4 * ratio;
      context.beginPath();
      if (harmful) {
        context.moveTo(x, box.top);
        context.lineTo(x + r, box.top - r);
        context.lineTo(x, box.top - 2 * r);
        context.lineTo(x - r, box.top - r);
      } else {
        context.moveTo(x, box.top);
        context.lineTo(x + r, box.top - 1.6 * r);
        context.lineTo(x - r, box.top - 1.6 * r);
      }
      context.fill();
      const width = context.measureText(unloads).width;
      if (x - width / 2 > labelEnd + 3 * ratio) {
        context.fillText(unloads, x, box.top - 2.2 * r);
        labelEnd = x + width / 2;
      }
    }
    context.restore();
  }

  function horizontal(u) {
    if (top <= 100) {
      return;
    }
    const y = Math.round(u.valToPos(100, "y", true));
    u.ctx.save();
    u.ctx.strokeStyle = css("--soft");
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
    u.ctx.beginPath();
    u.ctx.moveTo(u.bbox.left, y);
    u.ctx.lineTo(u.bbox.left + u.bbox.width, y);
    u.ctx.stroke();
    u.ctx.restore();
  }

  function readout(each, index) {
    const present = data.lines.map((name, i) => [name, each.usage[i][index]])
      .filter(([, value]) => value !== null).sort((one, other) => other[1] - one[1]);
    const minute = data.minutes[index];
    const parts = ["minute " + minute];
    if (present.length > 0) {
      const [hottest, high] = present[0];
      const [coolest, low] = present[present.length - 1];
      parts.push((data.each ? "hottest " : "") + hottest + " " + high.toFixed(1),
        (data.each ? "coolest " : "") + coolest + " " + low.toFixed(1), "spread " + (high - low).toFixed(1));
    }
    const step = data.minutes.length > 1 ? data.minutes[1] - data.minutes[0] : 1;
    for (const [at, unloads, harmful] of each.sheds) {
      if (Math.abs(at - minute) <= step / 2) {
        parts.push("a round unloads " + unloads + (harmful ? ", " + harmful + " of them harmful" : ""));
      }
    }
    return parts.join(", ");
  }

  function draw(figure, width) {
    const each = figure.strategy.runs[run];
    if (figure.u) {
      figure.u.destroy();
    }
    const axis = { stroke: css("--soft"), grid: { stroke: css("--grid"), width: 1 },
      ticks: { stroke: css("--line"), width: 1 }, font: "12px " + getComputedStyle(document.body).fontFamily };
    figure.u = new uPlot({
      width, height: HEIGHT, padding: [FLAG_ROOM, 16, 0, 0],
      scales: { x: { time: false, range: () => [range.from, range.to] }, y: { range: () => [0, top] } },
      axes: [{ ...axis, label: "minutes", labelSize: 20, labelFont: axis.font, size: 34 },
        { ...axis, values: (u, splits) => splits.map(value => value + " %"), size: 52 }],
      series: [{}].concat(data.lines.map((name, i) => ({ label: name, stroke: css(colourName(i)), width: 1.75,
        dash: dash(i), show: shown[i], points: { show: false } }))),
      focus: { alpha: 0.15 },
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
      hooks: {
        drawClear: [horizontal],
        draw: [u => flags(u, each.sheds)],
        setCursor: [u => {
          if (u.cursor.left >= 0 && !figure.walking) {
            point(u.posToIdx(u.cursor.left), figure);
          }
        }],
        setSelect: [u => {
          if (u.select.width > 5) {
            zoom(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x"));
          }
        }],
      },
    }, [data.minutes].concat(each.usage), figure.plot);
    figure.u.over.addEventListener("dblclick", () => zoom(0, last));
    if (lifted !== null) {
      figure.u.setSeries(lifted + 1, { focus: true });
    }
    figure.text.textContent = each.text;
    tell(figure);
  }

  function tell(figure) {
    const text = readout(figure.strategy.runs[run], figure.index);
    figure.plot.setAttribute("aria-valuenow", data.minutes[figure.index]);
    figure.plot.setAttribute("aria-valuetext", text);
    figure.readout.textContent = text;
  }

  // The same moment in all plots; the one under the pointer has its cursor already.
  function point(index, from) {
    for (const figure of figures) {
      figure.index = index;
      tell(figure);
      if (figure !== from) {
        figure.walking = true;
        figure.u.setCursor({ left: figure.u.valToPos(data.minutes[index], "x"), top: 0 });
        figure.walking = false;
      }
    }
  }

  function zoom(from, to) {
    range.from = Math.max(0, from);
    range.to = Math.min(last, to);
    for (const figure of figures) {
      figure.u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      figure.u.redraw(true, true);
      figure.u.setScale("x", { min: range.from, max: range.to });
    }
  }

  function zoomAround(index, factor) {
    const half = Math.max(1, (range.to - range.from) / 2 * factor);
    const middle = Math.min(Math.max(data.minutes[index], half), Math.max(half, last - half));
    zoom(middle - half, middle + half);
  }

  function key(event, figure) {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -20, PageUp: 20 };
    const end = data.minutes.length - 1;
    let to = figure.index;
    if (event.ctrlKey || event.altKey || event.metaKey) {
      return;
    } else if (event.key in steps) {
      to += steps[event.key] * (event.shiftKey ? 10 : 1);
    } else if (event.key === "Home") {
      to = 0;
    } else if (event.key === "End") {
      to = end;
    } else if (event.key === "+" || event.key === "=") {
      zoomAround(figure.index, 1 / ZOOM);
    } else if (event.key === "-") {
      zoomAround(figure.index, ZOOM);
    } else if (event.key === "0" || event.key === "Escape") {
      zoom(0, last);
    } else {
      return;
    }
    event.preventDefault();
    to = Math.min(end, Math.max(0, to));
    const minute = data.minutes[to];
    if (minute < range.from || minute > range.to) {
      const by = minute < range.from ? minute - range.from : minute - range.to;
      zoom(range.from + by, range.to + by);
    }
    point(to, null);
  }

  function lift(line) {
    lifted = line;
    for (const figure of figures) {
      figure.u.setSeries(line === null ? null : line + 1, { focus: line !== null });
    }
  }

  function legend() {
    const group = document.getElementById("legend");
    data.lines.forEach((name, i) => {
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", "0 0 24 4");
      svg.setAttribute("aria-hidden", "true");
      const stroke = document.createElementNS("http://www.w3.org/2000/svg", "line");
      for (const [attribute, value] of Object.entries({ x1: 0, y1: 2, x2: 24, y2: 2, "stroke-width": 3,
        "stroke-dasharray": dash(i).join(" ") || "none" })) {
        stroke.setAttribute(attribute, value);
      }
      stroke.style.stroke = "var(" + colourName(i) + ")";
      svg.append(stroke);
      const button = element("button", { type: "button", "aria-pressed": "true" }, svg, name);
      button.addEventListener("click", () => {
        shown[i] = !shown[i];
        button.setAttribute("aria-pressed", shown[i]);
        figures.forEach(figure => figure.u.setSeries(i + 1, { show: shown[i] }));
      });
      button.addEventListener("focus", () => button.matches(":focus-visible") && lift(i));
      button.addEventListener("mouseenter", () => lift(i));
      button.addEventListener("blur", () => lift(null));
      button.addEventListener("mouseleave", () => lift(null));
      group.append(button);
    });
  }

  function seeds() {
    const runs = data.strategies[0].runs;
    if (runs.length < 2) {
      return;
    }
    const label = document.getElementById("seed");
    const select = label.querySelector("select");
    runs.forEach((each, i) => select.append(element("option", { value: i }, String(each.seed))));
    select.addEventListener("change", () => {
      run = Number(select.value);
      drawAll();
    });
    label.hidden = false;
  }

  function drawAll(width) {
    figures.forEach(figure => draw(figure, width || figure.plot.clientWidth));
  }

  legend();
  seeds();
  for (const strategy of data.strategies) {
    const plot = element("div", { class: "plot", tabindex: "0", role: "slider", "aria-orientation": "horizontal",
      "aria-label": "Usage over time with " + strategy.name + ", minute", "aria-valuemin": 0, "aria-valuemax": last });
    const text = element("p", { class: "soft" });
    const line = element("p", { class: "readout soft" });
    document.getElementById("plots").append(element("figure", { id: "plot-" + strategy.name }, element("figcaption", {},
      element("h3", {}, strategy.name + ": " + strategy.title), text), plot, line));
    const figure = { strategy, plot, text, readout: line, index: 0, u: null, walking: false };
    plot.addEventListener("keydown", event => key(event, figure));
    figures.push(figure);
  }
  drawAll();
  new ResizeObserver(() => {
    if (!("paper" in document.documentElement.dataset)) {
      figures.filter(figure => figure.u.width !== figure.plot.clientWidth)
        .forEach(figure => figure.u.setSize({ width: figure.plot.clientWidth, height: HEIGHT }));
    }
  }).observe(document.getElementById("plots"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawAll());
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.paper = "";
    document.querySelectorAll("details").forEach(details => details.open = true);
    drawAll(PAPER_WIDTH);
  });
  addEventListener("afterprint", () => {
    delete document.documentElement.dataset.paper;
    drawAll();
  });
})();
