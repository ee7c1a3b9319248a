"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // Sorting: the heads of a table become buttons.
  const { compare } = new Intl.Collator("en", { numeric: true });
  for (const head of all("table.sortable th[data-sort]")) {
    const table = head.closest("table");
    const key = (row) => row.cells[head.cellIndex].dataset.key ?? row.cells[head.cellIndex].textContent.trim();
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of all("th[aria-sort]", table)) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const body = table.tBodies[0];
      body.append(...[...body.rows].sort((a, b) => (up ? 1 : -1) * compare(key(a), key(b))));
    });
  }

  // Filters of the claims.
  const form = document.getElementById("filters");
  const rows = all("#claims-table tbody tr");
  const filter = () => {
    const data = new FormData(form);
    const states = data.getAll("state");
    const words = data.get("text").toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (row) =>
      states.includes(row.dataset.state) &&
      ["part", "odd", "weak", "fitted"].every((name) => ["", row.dataset[name]].includes(data.get(name))) &&
      words.every((word) => row.textContent.toLowerCase().includes(word));
    for (const row of rows) row.hidden = !fits(row);
    const shown = rows.filter((row) => !row.hidden).length;
    document.getElementById("shown").textContent = `${shown} of ${rows.length} claims`;
  };
  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  filter();

  // A link to a claim or figure must not lead to something that is filtered or folded away.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.hidden) {
      form.reset();
      filter();
    }
    target.closest("details")?.setAttribute("open", "");
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  // Values at the points of a figure, by mouse, touch and keyboard.
  for (const plot of all(".plot")) {
    const tip = document.createElement("div");
    tip.className = "tip";
    tip.setAttribute("role", "status");
    tip.hidden = true;
    plot.append(tip);
    for (const title of all(".spots title", plot)) {
      title.parentNode.dataset.said = title.textContent;
      title.remove();
    }
    let current = null;
    const spots = () => all("rect", all("svg.wide, svg.narrow", plot).find((svg) => svg.getClientRects().length) ?? tip)
      .filter((rect) => rect.dataset.said);
    const hide = () => {
      current?.classList.remove("on");
      current = null;
      tip.hidden = true;
    };
    const show = (spot) => {
      if (spot === current) return;
      hide();
      current = spot;
      spot.classList.add("on");
      tip.textContent = spot.dataset.said;
      tip.hidden = false;
      const [box, at] = [plot.getBoundingClientRect(), spot.getBoundingClientRect()];
      const left = (at.left + at.right) / 2 - box.left - tip.offsetWidth / 2;
      const above = at.top - box.top - tip.offsetHeight - 6;
      tip.style.left = `${Math.max(0, Math.min(left, box.width - tip.offsetWidth))}px`;
      tip.style.top = `${above < 0 ? at.bottom - box.top + 6 : above}px`;
    };
    const near = (event) => {
      const distance = (spot) => {
        const at = spot.getBoundingClientRect();
        const out = (low, value, high) => Math.max(low - value, 0, value - high);
        const [x, y] = [out(at.left, event.clientX, at.right), out(at.top, event.clientY, at.bottom)];
        const middle = Math.hypot((at.left + at.right) / 2 - event.clientX, (at.top + at.bottom) / 2 - event.clientY);
        return [Math.hypot(x, y), middle];
      };
      const found = spots().map((spot) => [...distance(spot), spot]).sort((a, b) => a[0] - b[0] || a[1] - b[1])[0];
      if (found && found[0] < 24) show(found[2]);
      else hide();
    };
    plot.addEventListener("pointermove", near);
    plot.addEventListener("pointerdown", near);
    plot.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
    if (!spots().length) continue;
    plot.tabIndex = 0;
    plot.setAttribute("role", "group");
    plot.setAttribute("aria-label", `${plot.dataset.label} Arrow keys step through the values.`);
    plot.addEventListener("focus", () => plot.matches(":focus-visible") && show(spots()[0]));
    plot.addEventListener("blur", hide);
    plot.addEventListener("keydown", (event) => {
      const every = spots();
      const series = (spot) => every.filter((other) => other.dataset.series === spot.dataset.series);
      const names = [...new Set(every.map((spot) => spot.dataset.series))];
      const now = current ?? every[0];
      const [line, place] = [series(now), series(now).indexOf(now)];
      const across = (by) => line[Math.max(0, Math.min(place + by, line.length - 1))];
      const along = (by) => {
        const name = names[(names.indexOf(now.dataset.series) + by + names.length) % names.length];
        const other = every.filter((spot) => spot.dataset.series === name);
        return other[Math.min(place, other.length - 1)];
      };
      const moves = {
        ArrowRight: () => across(1), ArrowLeft: () => across(-1), ArrowDown: () => along(1), ArrowUp: () => along(-1),
        Home: () => line[0], End: () => line[line.length - 1],
      };
      if (event.key === "Escape") hide();
      else if (moves[event.key]) {
        event.preventDefault();
        show(moves[event.key]());
      }
    });
  }

  // On paper everything is open.
  addEventListener("beforeprint", () => all("details.model").forEach((part) => part.setAttribute("open", "")));
})();
