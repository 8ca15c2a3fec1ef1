// Shows the readings that the server sends (watch/reading.py), without ever making markup of a text: only textContent
// and attributes are set. What is on the page already stays the same element, so that focus, selection and scroll stay.
"use strict";

const byId = (id) => document.getElementById(id);
const count = (value) => value.toLocaleString("en");
const plural = (value, noun) => `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
const sum = (counts) => Object.values(counts).reduce((total, value) => total + value, 0);
const listed = (counts) => Object.entries(counts).map(([name, value]) => `${count(value)} ${name}`).join(", ");
const rate = (value) => (value === null ? "" : String(Number(value.toPrecision(3))));

function duration(seconds) {
  for (const [unit, name] of [[86400, "days"], [3600, "h"], [60, "min"]]) {
    if (seconds >= 2 * unit) return `${Math.round(seconds / unit)} ${name}`;
  }
  return `${Math.round(Math.max(seconds, 0))} s`;
}

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function attribute(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

// Makes the children of a parent those of some items, in their order: one element for each key, made once.
function keep(parent, items, keyOf, make, update) {
  const known = (parent.kept ??= new Map());
  const focused = document.activeElement;
  const keys = new Set(items.map(keyOf));
  for (const [key, node] of known) {
    if (!keys.has(key)) {
      node.remove();
      known.delete(key);
    }
  }
  items.forEach((item, at) => {
    const key = keyOf(item);
    if (!known.has(key)) known.set(key, make(item));
    const node = known.get(key);
    if (parent.children[at] !== node) parent.insertBefore(node, parent.children[at] ?? null);
    update(node, item);
  });
  // An element that is moved loses the focus.
  if (focused !== document.activeElement && parent.contains(focused)) focused.focus({ preventScroll: true });
}

// A table whose columns sort it. A column: title, text(row, now), and for sorting value(row); `fill` in place of text.
class Table {
  constructor(table, columns) {
    this.columns = columns;
    this.sorted = null;
    this.rows = [];
    this.heads = columns.map((column, at) => {
      const button = element("button", { type: "button" }, column.title);
      button.addEventListener("click", () => this.sortBy(at));
      return element("th", { scope: "col", class: column.number ? "n" : "" }, button);
    });
    this.body = element("tbody");
    table.append(element("thead", {}, element("tr", {}, ...this.heads)), this.body);
  }

  sortBy(at) {
    const first = this.columns[at].number ? -1 : 1;
    this.sorted = { at, way: this.sorted?.at === at ? -this.sorted.way : first };
    this.heads.forEach((head, other) => {
      attribute(head, "aria-sort", other === at ? (this.sorted.way > 0 ? "ascending" : "descending") : null);
    });
    this.show(this.rows, this.now);
  }

  show(rows, now) {
    this.rows = rows;
    this.now = now;
    keep(
      this.body,
      this.inOrder(),
      (row) => row.key ?? row.host ?? row.origin,
      () => element("tr", {}, ...this.columns.map((column) => element("td", { class: column.number ? "n" : "" }))),
      (node, row) => {
        this.columns.forEach((column, at) => {
          if (column.fill) column.fill(node.children[at], row, now);
          else say(node.children[at], column.text(row, now));
        });
      },
    );
  }

  inOrder() {
    if (this.sorted === null) return this.rows;
    const { at, way } = this.sorted;
    const value = this.columns[at].value;
    const compared = (one, other) => {
      const [a, b] = [value(one), value(other)];
      return way * (typeof a === "string" ? a.localeCompare(b) : a - b);
    };
    return [...this.rows].sort(compared);
  }
}

const isRunning = (run) => run.state === "running";
const isKilled = (run) => !isRunning(run) && !run.ended;
// A snapshot comes every five seconds.
const isLate = (run, now) => isRunning(run) && now - run.last_at > 12;
const anchor = (run) => `run-${run.key}`;
const link = (address, text) => element("a", { href: address }, text);
const never = Number.MAX_VALUE;

function stateOf(run, now) {
  if (!isRunning(run)) return `${run.ended || run.state} ${duration(now - run.last_at)} ago`;
  const heard = isLate(run, now) ? `, last heard of ${duration(now - run.last_at)} ago` : "";
  return `running for ${duration(now - run.started)}${heard}`;
}

function leftOf(run, now) {
  if (run.ends_at === null) return "";
  return `${run.ends_later ? "at least " : ""}${duration(run.ends_at - now)}`;
}

const RUN_COLUMNS = [
  {
    title: "Spider",
    value: (run) => run.name,
    fill: (cell, run) => {
      if (!cell.firstChild) cell.append(link(`#${encodeURIComponent(anchor(run))}`, run.name));
      say(cell.firstChild, run.name);
    },
  },
  {
    title: "State",
    value: (run) => run.state,
    fill: (cell, run, now) => {
      const length = run.warnings.length + run.alerts.length;
      say(cell, stateOf(run, now) + (length ? `, ${plural(length, "warning")}` : ""));
      attribute(cell, "class", length || isLate(run, now) || isKilled(run) ? "bad" : "");
    },
  },
  { title: "Pages", number: true, value: (run) => run.sent, text: (run) => count(run.sent) },
  { title: "A second", number: true, value: (run) => run.a_second ?? -1, text: (run) => rate(run.a_second) },
  { title: "Queued", number: true, value: (run) => run.queued, text: (run) => count(run.queued) },
  { title: "Refused", number: true, value: (run) => sum(run.refused), text: (run) => count(sum(run.refused)) },
  { title: "Closed hosts", number: true, value: closedOf, text: (run) => count(closedOf(run)) },
  { title: "Time left", number: true, value: (run) => run.ends_at ?? never, text: leftOf },
  {
    title: "Report",
    value: (run) => run.key,
    fill: (cell, run) => {
      if (cell.firstChild) return;
      cell.append(link(`report/${encodeURIComponent(run.key)}`, "Report"));
      cell.firstChild.setAttribute("aria-label", `Report of ${run.name}`);
    },
  },
];

const HOST_COLUMNS = [
  { title: "Host", value: (host) => host.host, text: (host) => host.host },
  { title: "Queued", number: true, value: (host) => host.queued, text: (host) => count(host.queued) },
  {
    title: "One every",
    number: true,
    value: (host) => host.pace_s,
    text: (host) => (host.pace_s >= 0.01 ? `${rate(host.pace_s)} s ${host.pace_source}` : ""),
  },
  {
    title: "State",
    value: (host) => host.state,
    text: (host, now) =>
      host.opens_at > now + 1 ? `opens in ${duration(host.opens_at - now)} (${host.reason})` : host.state,
  },
  {
    title: "Time left",
    number: true,
    value: (host) => host.done_at ?? never,
    text: (host, now) => (host.done_at === null ? "not known" : duration(host.done_at - now)),
  },
];

const ORIGIN_COLUMNS = [
  { title: "Origin", value: (origin) => origin.origin, text: (origin) => origin.origin },
  { title: "Pages", number: true, value: (origin) => origin.sent, text: (origin) => count(origin.sent) },
  { title: "Refused", number: true, value: (origin) => origin.refused, text: (origin) => count(origin.refused) },
  { title: "Pace", value: (origin) => origin.pace, text: (origin) => origin.pace },
  { title: "robots.txt", value: (origin) => origin.robots, text: (origin) => origin.robots },
];

function closedOf(run) {
  return run.hosts.closed ?? 0;
}

// Label and text of each fact; those without a text are not shown.
function factsOf(run) {
  const { none, ...answered } = run.answered;
  if (none) answered["without an answer"] = none;
  const about = run.hosts_exact ? "" : "about: ";
  return [
    ["Answers", listed(answered)],
    ["Hosts", isRunning(run) && Object.keys(run.hosts).length ? about + listed(run.hosts) : ""],
    ["robots.txt", listed(run.robots)],
    ["Refused", listed(run.refused)],
    ["Noticed, not refused", listed(run.audited)],
    ["Left behind", run.left ? `${plural(run.left, "link")} of places that look endless` : ""],
    ["Job", run.job],
    ["Run", run.folder],
  ].filter(([, text]) => text);
}

// Label and text of each; without a text it is not known, or, of a run that is over, not shown.
const TILES = [
  ["pages requested", (run) => count(run.sent)],
  ["a second of late", (run) => rate(run.a_second)],
  ["a second in all", (run) => rate(run.in_all)],
  ["queued", (run) => count(run.queued)],
  ["in flight", (run) => count(run.in_flight)],
  ["refused", (run) => count(sum(run.refused))],
  ["deferred", (run) => count(run.deferred)],
  ["time left", (run, now) => leftOf(run, now)],
];

function scrolling(table, label) {
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
}

function makeRun(run) {
  const parts = {
    title: element("h2", { id: anchor(run), tabindex: "-1" }),
    state: element("p", { class: "soft" }),
    tiles: TILES.map(([label]) => element("li", {}, element("b"), label)),
    more: element("ul"),
    facts: element("dl"),
    hosts: element("table", { class: "hosts" }),
    origins: element("table", { class: "origins" }),
  };
  const section = element("section", { class: "run", "aria-labelledby": anchor(run) });
  const report = element("p", {}, link(`report/${encodeURIComponent(run.key)}`, "Report of this run"));
  parts.ofHosts = element("div", {}, element("h3", {}, "Hosts that take longest"));
  parts.ofHosts.append(scrolling(parts.hosts, `Hosts of ${run.name}`));
  parts.ofOrigins = element("div", {}, element("h3", {}, "Origins"));
  parts.ofOrigins.append(scrolling(parts.origins, `Origins of ${run.name}`));
  parts.hostTable = new Table(parts.hosts, HOST_COLUMNS);
  parts.originTable = new Table(parts.origins, ORIGIN_COLUMNS);
  section.append(parts.title, parts.state, element("ul", { class: "tiles" }, ...parts.tiles), parts.more, parts.facts);
  section.append(parts.ofHosts, parts.ofOrigins, report);
  section.parts = parts;
  return section;
}

function updateRun(section, run, now, isAnswered) {
  const { parts } = section;
  say(parts.title, run.name);
  const processes = run.processes > 1 ? `, ${run.processes} processes` : "";
  say(parts.state, `${stateOf(run, now)}${processes}`);
  attribute(parts.state, "class", isLate(run, now) || isKilled(run) ? "bad" : "soft");
  TILES.forEach(([, text], at) => {
    const shown = text(run, now) || (isRunning(run) ? "?" : "");
    say(parts.tiles[at].firstChild, shown);
    parts.tiles[at].hidden = !shown;
  });
  const alerts = run.alerts.map((alert) => `${duration(now - alert.at)} ago: ${alert.text}`);
  const sentences = [
    ...[...run.warnings, ...alerts].map((text) => [text, "bad"]),
    ...run.why.slice(isAnswered ? 1 : 0).map((text) => [text, ""]),
  ];
  keep(
    parts.more,
    sentences.map(([text, kind], at) => ({ at, text, kind })),
    (one) => one.at,
    () => element("li"),
    (node, one) => {
      say(node, one.text);
      attribute(node, "class", one.kind);
    },
  );
  parts.more.hidden = !sentences.length;
  keep(
    parts.facts,
    factsOf(run).flatMap(([label, text]) => [["dt", label, label], ["dd", label, text]]),
    ([tag, label]) => tag + label,
    ([tag]) => element(tag),
    (node, [, , text]) => say(node, text),
  );
  parts.ofHosts.hidden = !run.queues.length;
  parts.ofOrigins.hidden = !run.origins.length;
  parts.hostTable.show(run.queues, now);
  parts.originTable.show(run.origins, now);
}

const runTable = new Table(byId("runs"), RUN_COLUMNS);
let saidAt = 0;
let saidText = "";

function showAnswers(asked) {
  const running = asked.filter(isRunning);
  say(byId("question"), running.length > 1 ? `Why are these ${running.length} still running?` : QUESTIONS[running.length]);
  keep(
    byId("answers"),
    asked.length ? asked : [{ key: "", name: "", why: ["No crawl has written a run record here yet."] }],
    (run) => run.key,
    (run) => element("li", {}, run.key ? link(`#${encodeURIComponent(anchor(run))}`, "") : element("span"), element("span")),
    (node, run) => {
      say(node.firstChild, run.name);
      say(node.lastChild, `${run.name && ": "}${run.why[0] ?? "Nothing is known of it yet."}`);
    },
  );
  announce(byId("answers").textContent);
}

const QUESTIONS = ["No crawl runs", "Why is it still running?"];

// To a screen reader the answers are told when they are others, not when a number in them is another one.
function announce(text) {
  const words = text.replace(/\d[\d.,:]*/g, "");
  if (words === saidText || Date.now() - saidAt < 20000) return;
  saidText = words;
  saidAt = Date.now();
  say(byId("said"), text);
}

function show(reading) {
  const spiders = reading.runs.map((run) => run.spider);
  for (const run of reading.runs) {
    run.name = spiders.filter((spider) => spider === run.spider).length > 1 ? `${run.spider} ${run.run}` : run.spider;
  }
  const running = reading.runs.filter(isRunning);
  document.title = running.length ? `${plural(running.length, "crawl")} running` : "No crawl runs";
  say(byId("root"), reading.root);
  const asked = running.length ? running : reading.runs.slice(0, 1);
  showAnswers(asked);
  const more = [...reading.trouble];
  if (reading.more) more.unshift(`${plural(reading.more, "more run")} not shown: name a spider or a run.`);
  say(byId("more"), more.join(" "));
  byId("more").hidden = !more.length;
  runTable.show(reading.runs, reading.at);
  keep(byId("each"), reading.runs, (run) => run.key, makeRun, (section, run) =>
    updateRun(section, run, reading.at, asked.includes(run)),
  );
}

let source = null;

function start() {
  source = new EventSource("events");
  source.onmessage = (event) => {
    say(byId("state"), "Live");
    attribute(byId("state"), "class", null);
    show(JSON.parse(event.data));
  };
  source.onerror = () => {
    const gone = source.readyState === EventSource.CLOSED;
    say(
      byId("state"),
      gone
        ? "Turned away: open the address that `scrapy polite watch --web` has printed last."
        : "Not connected: is `scrapy polite watch --web` still running? Trying again ...",
    );
    attribute(byId("state"), "class", "bad");
  };
}

byId("pause").addEventListener("click", () => {
  if (source) {
    source.close();
    source = null;
    say(byId("state"), "Paused");
  } else {
    start();
  }
  say(byId("pause"), source ? "Pause" : "Go on");
});

start();
