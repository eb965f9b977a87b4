// Tables longer than a window: rows in another order by a column's head, and only those that hold some words.
(() => {
  const ROWS = 20, CHOICES = 8, SELECTS = 3, LETTERS = 40;
  const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const blank = (text) => /^[-–—−]?$/.test(text);
  const raised = (text) => text.replace(/[⁰¹²³⁴-⁹⁻]/g, (sign) => "0123456789-"["⁰¹²³⁴⁵⁶⁷⁸⁹⁻".indexOf(sign)]);

  // The number that a cell begins with, whatever sets its digits apart and whatever unit or error follows; NaN for none.
  const number = (text) => {
    const plain = text.replace(/−/g, "-").replace(/(\d)[,\u2009\u202f\u00a0 ](?=\d{3}(?!\d))/g, "$1");
    if (plain === "exact") return 0;
    const found = /^[≤≥<>≈~]?\s*([-+]?)\s*(∞|inf|\d*\.?\d+(?:e[-+]?\d+)?)\s*(.*)$/i.exec(plain);
    if (!found) return NaN;
    const power = /^[×·]\s*10([⁰¹²³⁴-⁹⁻]+)/.exec(found[3]);
    const share = /^\/\s*(\d+)$/.exec(found[3]);
    const rest = power ? found[3].slice(power[0].length).trim() : share ? "" : found[3];
    if (rest && !/^(%|±.*|\(.*\)|(percentage )?points?|s\.e\.)$/.test(rest)) return NaN;
    const size = /^\d|^\./.test(found[2]) ? Number(found[2]) : Infinity;
    return (found[1] === "-" ? -size : size) * (power ? 10 ** Number(raised(power[1])) : 1) / (share ? share[1] : 1);
  };

  // For each column the head that is about it alone, with all that stands above it as its name; null where that is open.
  const heads = (table, width) => {
    const grid = [...table.tHead.rows].map(() => Array(width).fill(null));
    [...table.tHead.rows].forEach((row, down) => {
      let across = 0;
      for (const cell of row.cells) {
        while (across < width && grid[down][across]) across += 1;
        for (let i = 0; i < cell.rowSpan && down + i < grid.length; i += 1) {
          for (let j = 0; j < cell.colSpan; j += 1) grid[down + i][across + j] = cell;
        }
        across += cell.colSpan;
      }
    });
    const last = grid[grid.length - 1];
    if (last.length !== width || !last.every((cell) => cell && cell.colSpan === 1)) return null;
    last.forEach((cell, column) => {
      const above = [...new Set(grid.map((row) => row[column]))].filter(Boolean);
      cell.dataset.name = above.map((head) => head.textContent.trim()).filter(Boolean).join(", ");
    });
    return last;
  };

  const sorted = (rows, column, down) => {
    const texts = rows.map((row) => row.texts[column]);
    const full = texts.filter((text) => !blank(text));
    const counts = full.every((text) => !Number.isNaN(number(text)));
    const compare = (one, other) => {
      const [a, b] = [one.texts[column], other.texts[column]];
      if (blank(a) || blank(b)) return blank(a) - blank(b);
      const [x, y] = counts ? [number(a), number(b)] : [words.compare(a, b), 0];
      return (x === y ? 0 : x < y ? -1 : 1) * (down ? -1 : 1);
    };
    return [...rows].sort(compare);
  };

  const element = (name, attributes, ...children) => {
    const made = Object.assign(document.createElement(name), attributes);
    made.append(...children);
    return made;
  };

  const sortable = (table, rows, columns) => {
    const body = table.tBodies[0];
    const order = (column, way) => {
      columns.forEach((head, place) => {
        if (place === column && way) head.setAttribute("aria-sort", way); else head.removeAttribute("aria-sort");
      });
      body.append(...(way ? sorted(rows, column, way === "descending") : rows).map((row) => row.row));
    };
    columns.forEach((head, column) => {
      const button = element("button", { type: "button", className: "sort", title: "Sort by this column" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const next = { ascending: "descending", descending: null }[head.getAttribute("aria-sort")];
        order(column, next === undefined ? "ascending" : next);
      });
    });
  };

  // Columns of words that say one of a few things.
  const choices = (rows, columns) => columns.flatMap((head, column) => {
    const values = [...new Set(rows.map((row) => row.texts[column]))];
    const named = columns.some(({ dataset }) => "choice" in dataset) ? "choice" in head.dataset : values.length <= CHOICES;
    const few = values.length > 1 && named && values.length < rows.length / 2;
    const plain = values.every((text) => text.length <= LETTERS) && values.some((text) => Number.isNaN(number(text)) && !blank(text));
    return few && plain ? [{ column, label: head.dataset.name, values: values.sort(words.compare) }] : [];
  }).slice(0, SELECTS);

  const filterable = (box, rows, columns, name) => {
    const field = element("input", { type: "search", autocomplete: "off", spellcheck: false });
    field.setAttribute("aria-label", `Show only rows of ${name} with these words`);
    field.placeholder = "words in a row";
    const selects = choices(rows, columns).map(({ column, label, values }) => {
      const options = values.map((value) => new Option(value || "(empty)", value));
      const select = element("select", {}, new Option("all", "\0"), ...options);
      select.dataset.column = column;
      return [select, element("label", {}, `${label} `, select)];
    });
    const count = element("span", { className: "shown" });
    count.setAttribute("role", "status");
    const follow = () => {
      const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach(({ row, texts, all }) => {
        row.hidden = !asked.every((word) => all.includes(word))
          || !selects.every(([select]) => select.value === "\0" || texts[select.dataset.column] === select.value);
        shown += !row.hidden;
      });
      count.textContent = shown === rows.length ? `${shown} rows` : `${shown} of ${rows.length} rows`;
    };
    const controls = element("div", { className: "table-controls" },
      element("label", {}, "Filter ", field), ...selects.map(([, label]) => label), count);
    controls.addEventListener("input", follow);
    box.before(controls);
    follow();
    // A link to a row shows all that is alike in its first column.
    const show = () => {
      const asked = rows.find(({ row }) => row.id && location.hash === `#${row.id}`);
      if (!asked) return;
      field.value = "";
      selects.forEach(([select]) => { select.value = select.dataset.column === "0" ? asked.texts[0] : "\0"; });
      follow();
      box.scrollTop = 0;
      controls.scrollIntoView();
    };
    addEventListener("hashchange", show);
    addEventListener("click", ({ target }) => target.closest?.("a[href*='#']") && setTimeout(show));
    show();
  };

  document.querySelectorAll(".scroll > table").forEach((table) => {
    const body = table.tBodies[0];
    if (!table.tHead || table.tBodies.length !== 1 || body.rows.length <= ROWS) return;
    const width = body.rows[0].cells.length;
    const whole = [...body.rows].every((row) => row.cells.length === width
      && [...row.cells].every((cell) => cell.rowSpan === 1 && cell.colSpan === 1));
    const columns = whole && heads(table, width);
    if (!columns) return;
    const rows = [...body.rows].map((row) => {
      const texts = [...row.cells].map((cell) => cell.textContent.trim().replace(/\s+/g, " "));
      return { row, texts, all: texts.join(" ").toLowerCase() };
    });
    const label = table.closest("figure")?.querySelector("figcaption strong")?.textContent.replace(/\.$/, "");
    filterable(table.parentElement, rows, columns, label || "the table");
    sortable(table, rows, columns);
  });
})();
