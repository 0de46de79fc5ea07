// What tests ask of a page: whether it fits its window, and what keys reach. Functions that look for faults return what is wrong, in words.
globalThis.use = (() => {
  const interactive = "a[href], button, input, select, textarea, summary, [tabindex]";

  const shown = (e) => e.getClientRects().length > 0 && e.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  /** front says that an element can be used: a dialog keeps all else away, a panel that covers the page, as on phones, all but the head. */
  function front(e) {
    const dialog = document.querySelector("dialog[open]");
    if (dialog) return dialog.contains(e);
    const panel = document.querySelector(".panel");
    return !panel || getComputedStyle(panel).position !== "fixed" || panel.contains(e) || e.closest(".bar, .skip") !== null;
  }

  const usable = () => [...document.querySelectorAll(interactive)].filter((e) => shown(e) && front(e) && !e.disabled && !e.closest("[inert]"));

  function name(e) {
    const words = (e.ariaLabel || e.innerText || e.placeholder || "").trim().replace(/\s+/g, " ").slice(0, 50);
    const kind = e.className && typeof e.className === "string" ? "." + e.className.trim().replace(/\s+/g, ".") : "";
    return `${e.tagName.toLowerCase()}${kind} "${words}"`;
  }

  /** fits wants no need to scroll sideways, text that is large enough, and everything that can be used in reach of a pointer. */
  function fits() {
    const wrong = [];
    const over = document.documentElement.scrollWidth - innerWidth;
    if (over > 0) wrong.push(`the page is ${over} px too wide`);
    for (const e of usable()) if (!e.closest(".world, .skip")) wrong.push(...outOfReach(e)); // that moves by its own keys, and comes with the focus
    wrong.push(...small());
    scrollTo(0, 0);
    return [...new Set(wrong)];
  }

  function outOfReach(e) {
    reveal(e);
    const r = e.getClientRects()[0];
    if (r.width < 3 || r.height < 3) return []; // for screen readers
    const hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
    if (!hit) return [`${name(e)} is out of the window`];
    if (!e.contains(hit) && !hit.closest("label")?.contains(e)) return [`${name(e)} is covered by ${name(hit)}`];
    if (r.width <= innerWidth && (r.left < -1 || r.right > innerWidth + 1)) return [`${name(e)} is cut off by the window`];
    for (let p = e.parentElement; p && getComputedStyle(p).position !== "fixed"; p = p.parentElement) {
      const c = p.getBoundingClientRect();
      const clips = ["hidden", "clip"].includes(getComputedStyle(p).overflowX);
      if (clips && (r.left < c.left - 1 || r.right > c.right + 1 || r.top < c.top - 1 || r.bottom > c.bottom + 1)) return [`${name(e)} is cut off by ${name(p)}`];
    }
    return [];
  }

  /** reveal scrolls to an element; to the head of a table, which stays where it is while that scrolls, to its beginning. */
  function reveal(e) {
    const table = e.closest("thead")?.closest(".scroll");
    if (table) table.scrollTop = 0;
    if (table) table.scrollIntoView({ block: "start", behavior: "instant" });
    e.scrollIntoView({ block: table ? "nearest" : "center", inline: "center", behavior: "instant" });
  }

  const leastText = 10;

  function small() {
    const wrong = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const e = texts.currentNode.parentElement;
      const size = parseFloat(getComputedStyle(e).fontSize);
      if (size < leastText && texts.currentNode.data.trim() && shown(e)) wrong.push(`${name(e)} has text of ${size} px`);
    }
    return wrong;
  }

  /** below is what belongs to the picture of a job, and is seen only by who scrolls. */
  const below = () => [...document.querySelectorAll(".lines-legend, .zoom")].filter((e) => shown(e) && e.getBoundingClientRect().bottom > innerHeight).map((e) => `${name(e)} is below the window`);

  /** What the Tab key leads to, and how each looks without the focus. */
  let stops = [];
  let looks = [];

  function begin() {
    document.activeElement.blur();
    stops = usable().filter((e) => e.tabIndex >= 0 && !(e.type === "radio" && !e.checked));
    looks = stops.map(look);
    return stops.map(name);
  }

  /** look is all that a focus may change, of an element and what it is in. */
  function look(e) {
    return [e, e.parentElement, e.parentElement?.parentElement]
      .filter(Boolean)
      .map((p) => getComputedStyle(p))
      .map((s) => [s.outlineStyle, s.outlineWidth, s.boxShadow, s.borderColor, s.backgroundColor, s.clipPath].join())
      .join();
  }

  /** at is what has the focus: which of the stops (-1: none of the page, as the browser has its turn), and whether one sees that. */
  function at() {
    const e = document.activeElement;
    if (e === document.body || e.matches("dialog, main")) return { stop: -1, name: name(e), seen: true };
    const stop = stops.indexOf(e);
    const r = e.getBoundingClientRect();
    const hit = document.elementFromPoint(r.x + Math.min(r.width, innerWidth) / 2, Math.max(1, r.y) + Math.min(r.height, innerHeight - r.y) / 2);
    const inSight = r.width < 3 || (hit !== null && (e.contains(hit) || hit.contains(e) || e.closest(".world") !== null));
    return { stop: stop < 0 ? -2 : stop, name: name(e), seen: inSight && (stop < 0 || look(e) !== looks[stop]), scrolls: e.scrollHeight > e.clientHeight || e.scrollWidth > e.clientWidth };
  }

  /** A group is one stop of the Tab key; arrows lead through it. */
  const group = "[role=tablist], [role=listbox], [aria-label^='Flame graph'], .world";

  /** onlyPointed is what listens to clicks, and neither is nor has anything that keys reach. */
  function onlyPointed() {
    const listening = [...document.querySelectorAll("*")].filter((e) => shown(e) && front(e) && e.l && Object.keys(e.l).some((on) => on.startsWith("click")));
    const pointed = listening.filter((e) => e.tabIndex < 0 && !e.closest(group) && !e.matches(".port") && ![...e.querySelectorAll(interactive)].some((c) => c.tabIndex >= -1));
    return { listening: listening.length, pointed: pointed.map(name) };
  }

  /** pictures is what only eyes can read: charts and flame graphs without a table, a graph without its layer of text. */
  function pictures() {
    const wrong = [...document.querySelectorAll("canvas")].filter((c) => !c.closest(".chart")?.querySelector("table")).map((c) => `${name(c)} has no table`);
    wrong.push(...[...document.querySelectorAll(".flame")].filter((f) => !f.closest(".panel")?.querySelector("details table")).map((f) => `${name(f)} has no table`));
    const layers = [...document.querySelectorAll("[role=tab]")].map((e) => e.textContent);
    if (document.querySelector(".world") && !layers.some((l) => l.startsWith("Table"))) wrong.push("the graph has no table");
    for (const svg of document.querySelectorAll("svg, canvas")) {
      if (shown(svg) && !svg.closest("[aria-hidden=true]") && !svg.ariaLabel && svg.role !== "img") wrong.push(`${name(svg)} has no name`);
    }
    return wrong;
  }

  return { fits, below, begin, at, onlyPointed, pictures };
})();
