// A file as a table of texts: its characters, and what stands between fields, as fairness.tables has them. Nothing in
// this part touches the page. A column is { name, codes, texts, comma }: for each row the place of its text, -1 where the
// cell is empty; the different texts, as they first appear; and whether a comma is a decimal point.
const tables = (() => {
  "use strict";
  const { say, refuse } = language;
  // What would move a cursor, or turn the direction of writing.
  const CONTROL = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
  const UNSEEN = /[\u200b-\u200d\u2060\ufeff]/g;
  const THOUSANDS = { ",": /^[+-]?[1-9]\d{0,2}(,\d{3})+$/, ".": /^[+-]?[1-9]\d{0,2}(\.\d{3})+$/ };
  // A mark that can only be a decimal point.
  const POINT = {
    ",": /^[+-]?(\d*,(\d{1,2}|\d{4,})|0,\d+|[\d.]+\.\d{3},\d+)$/, ".": /^[+-]?(\d*\.(\d{1,2}|\d{4,})|0\.\d+|[\d,]+,\d{3}\.\d+)$/,
  };
  const OTHER = { ",": ".", ".": "," };
  const MOST_COLUMNS = 500;
  const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
  const NO_TEXT = language.later("{name}: text is needed (UTF-8, UTF-16 or Windows-1252), and this is none");

  // A cell as it is compared and shown: one form of each accent, single blanks, and no control characters.
  const cleaned = (text) => {
    if (/^[!-~]*$/.test(text)) return text;
    return text.replace(UNSEEN, "").split(/[\s\x1c-\x1f\x85]+/).filter(Boolean).join(" ").normalize("NFC")
      .replace(CONTROL, (found) => `\\x${found.charCodeAt(0).toString(16).padStart(2, "0")}`);
  };

  // As Python shows it, on one line and not too long.
  const shown = (value, most = 60) => {
    const text = represented(value).split(/\s+/).join(" ");
    return [...text].length <= most ? text : `${[...text].slice(0, most - 1).join("")}…`;
  };

  const represented = (value) => {
    if (Array.isArray(value)) return `[${value.map(represented).join(", ")}]`;
    if (value === null) return "None";
    if (typeof value === "number") return String(value);
    const mark = value.includes("'") && !value.includes('"') ? '"' : "'";
    return mark + value.replace(/\\/g, "\\\\").replaceAll(mark, `\\${mark}`) + mark;
  };

  const casefold = (text) => text.toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ");

  // Texts with plain digits, without blanks and apostrophes between thousands, and letters behind a rank.
  const plain = (texts) => texts.map((text) =>
    text.normalize("NFKC").replace(/(?<=\d)[ '’](?=\d{3}\b)/g, "").replace(/(?<=\d)(st|nd|rd|th)$/, ""));

  // Whether a mark is a decimal point here: some number says so, or all can be read so.
  const isPoint = (texts, mark) => texts.some((text) => POINT[mark].test(text))
    || !texts.some((text) => text.includes(mark) && (THOUSANDS[mark].test(text) || POINT[OTHER[mark]].test(text)));

  const numbersOf = (texts) => {
    if (texts.every((text) => /^\d+$/.test(text))) return texts.map(Number);
    const own = plain(texts);
    const thousands = [",", "."].filter((mark) => !isPoint(own, mark));
    return own.map((text) => {
      const bare = thousands.reduce((one, mark) => one.replaceAll(mark, ""), text).replaceAll(",", ".");
      return NUMBER.test(bare) ? Number(bare) : NaN;
    });
  };

  // A number with a mark of which nothing says whether it is a decimal point or one for thousands.
  const doubtfulOf = (texts, comma) => {
    const own = plain(texts);
    for (const mark of [",", "."]) {
      if (isPoint(own, mark) || own.some((text) => POINT[OTHER[mark]].test(text))) continue;
      const found = own.filter((text) => THOUSANDS[mark].test(text));
      if (found.every((text) => text.split(mark).length === 2) && (mark === ".") !== comma) return found[0];
    }
    return null;
  };

  // With what is asked of a column: its empty cells, whether a text stands in two rows, and its texts as numbers.
  const column = (name, codes, texts, comma = false) => {
    const empty = codes.reduce((count, code) => count + Number(code < 0), 0);
    let numbers = null;
    return {
      name, codes, texts, comma, empty, isRepeated: texts.length < codes.length - empty,
      cell: (row) => texts[codes[row]] ?? null,
      get numbers() {
        numbers ??= numbersOf(texts);
        return numbers;
      },
      get isNumeric() { return texts.length > 0 && !this.numbers.some(Number.isNaN); },
      get doubtful() { return doubtfulOf(texts, comma); },
    };
  };

  // Fields, one after the other, into columns.
  const gatherer = () => {
    const [places, raw, codes] = [new Map(), new Map(), []];
    return {
      codes, texts: places,
      add: (text) => {
        let code = raw.get(text);
        if (code === undefined) {
          const own = cleaned(text);
          if (own && !places.has(own)) places.set(own, places.size);
          code = own ? places.get(own) : -1;
          raw.set(text, code);
        }
        codes.push(code);
      },
    };
  };

  // A file's text, and what its characters were taken for where no mark and no rule says it.
  const decoded = (bytes, name) => {
    const begin = bytes[0] * 256 + bytes[1];
    if (begin === 0xfffe || begin === 0xfeff) return [new TextDecoder(begin === 0xfffe ? "utf-16le" : "utf-16be").decode(bytes), ""];
    if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4) {
      refuse(say("{name}: workbooks of Excel are not read here: save the sheet as CSV, or give the workbook to gamebalance judge or to Python", { name }));
    }
    if (bytes.includes(0)) refuse(say(NO_TEXT, { name }));
    try {
      return [new TextDecoder("utf-8", { fatal: true }).decode(bytes), ""];
    } catch {
      if (bytes.some((byte, k) => isSeveral(byte, bytes[k + 1], bytes[k + 2]))) {
        refuse(say("{name}: line {line} is no UTF-8, and others are: save the file as UTF-8", { name, line: wrongLine(bytes) }));
      }
      return [new TextDecoder("windows-1252").decode(bytes), "Windows-1252"];
    }
  };

  // Whether bytes begin a character of two or three of them in UTF-8.
  const isSeveral = (one, two, three) => two >= 0x80 && two <= 0xbf
    && ((one >= 0xc2 && one <= 0xdf) || (one >= 0xe0 && one <= 0xef && three >= 0x80 && three <= 0xbf));

  const wrongLine = (bytes) => {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let begin = 0;
    for (let line = 1; ; line += 1) {
      const end = bytes.indexOf(10, begin);
      try {
        decoder.decode(bytes.subarray(begin, end < 0 ? bytes.length : end));
      } catch {
        return line;
      }
      begin = end + 1;
    }
  };

  // Visits the records of a text, as lists of fields; in quotes a field may hold anything.
  const eachRecord = (text, between, name, visit) => {
    let number = 0;
    const lines = text.split("\n");
    for (let k = 0; k < lines.length; k += 1) {
      number += 1;
      let line = lines[k];
      if (!line.includes('"')) {
        if (line.trim() || line.includes(between)) visit(line.split(between), number);
        continue;
      }
      let parts = quotedFields(line, between);
      while (!parts) {
        k += 1;
        if (k >= lines.length) refuse(say("{name}: a quotation mark that is opened in row {row} is never closed", { name, row: number }));
        line += `\n${lines[k]}`;
        parts = lines[k].includes('"') ? quotedFields(line, between) : null;
      }
      visit(parts, number);
    }
  };

  // The fields of a record with quotes; null where a quote is open at its end.
  const quotedFields = (line, between) => {
    const found = [];
    for (let place = 0; place <= line.length; place += 1) {
      while (line[place] === " ") place += 1;
      let field = "";
      if (line[place] === '"') {
        place += 1;
        for (;;) {
          const end = line.indexOf('"', place);
          if (end < 0) return null;
          field += line.slice(place, end);
          place = end + 1;
          if (line[place] !== '"') break;
          field += '"';
          place += 1;
        }
      }
      const next = line.indexOf(between, place);
      const end = next < 0 ? line.length : next;
      found.push(field + line.slice(place, end));
      place = end;
    }
    return found;
  };

  // The columns of a text with a line of names, and what its characters were taken for.
  const table = (content, encoding, name) => {
    if (content.includes("\0")) refuse(say(NO_TEXT, { name }));
    let text = content.replace(/\r\n?/g, "\n").replace(/^\ufeff?/, "");
    const unused = /([^\S\n]*|#.*)\n/y;
    let begin = 0;
    while (unused.test(text)) begin = unused.lastIndex;
    text = text.slice(begin);
    const told = /^sep=(.)\n/.exec(text);
    if (told) text = text.slice(told[0].length);
    const end = text.includes("\n") ? text.indexOf("\n") : text.length;
    const head = text.slice(0, end);
    if (!head.trim()) refuse(say("{name}: empty; a line of names and results below it are needed", { name }));
    const bare = head.replace(/"[^"]*"/g, "");
    const counts = [",", ";", "\t"].map((mark) => bare.split(mark).length);
    const between = told?.[1] ?? ",;\t"[counts.indexOf(Math.max(...counts))];
    const names = (quotedFields(head, between) ?? head.replaceAll('"', "").split(between)).map(cleaned);
    const size = names.findLastIndex((part) => part) + 1;
    if (names.every((part) => /^-?[\d.,]*$/.test(part))) refuse(say("{name}: its first line is {line}: a line of names is needed there", { name, line: shown(cleaned(head)) }));
    if (size > MOST_COLUMNS || names.length > 10 * MOST_COLUMNS) {
      refuse(say("{name}: {count} columns; {most} are allowed", { name, count: language.number(names.length.toLocaleString("en-US")), most: MOST_COLUMNS }));
    }
    return whole(bodyOf(text.slice(end + 1), between, names, size, name), encoding);
  };

  const bodyOf = (text, between, names, size, name) => {
    const gathered = names.map(gatherer);
    let [records, most, beyond] = [0, names.length, false];
    const more = say("{name}: its rows have more fields than its line of names", { name });
    eachRecord(text, between, name, (fields, row) => {
      if (records && fields.length > most) refuse(say("{name}: row {row} has {found} fields, more than the {most} of the rows above it", { name, row, found: fields.length, most }));
      most = Math.max(most, fields.length);
      beyond ||= Boolean(fields[names.length]);
      records += 1;
      gathered.forEach(({ add }, place) => add(fields[place] ?? ""));
    });
    // A spreadsheet leaves empty fields at the ends.
    if (most > names.length + 1 || beyond || gathered.slice(size).some(({ texts }) => texts.size)) refuse(more);
    const texts = gathered.map((one) => [...one.texts.keys()]);
    // Neither what is empty nor a remark.
    const isRow = (row) => gathered.slice(1, size).some(({ codes }) => codes[row] >= 0)
      || (gathered[0].codes[row] >= 0 && !texts[0][gathered[0].codes[row]].startsWith("#"));
    const kept = Array.from({ length: records }, (_, row) => row).filter(isRow);
    return gathered.slice(0, size).map(({ codes }, place) =>
      column(names[place] || `(column ${place + 1})`, Int32Array.from(kept, (row) => codes[row]), texts[place], between === ";"));
  };

  const whole = (columns, encoding) => {
    const names = columns.map((one) => one.name);
    const folded = names.map(casefold);
    const twice = names.find((_, place) => folded.indexOf(folded[place]) < place);
    if (twice !== undefined) refuse(say("column {name} stands there twice", { name: shown(twice) }));
    if (!columns[0]?.codes.length) refuse(say("the table has no rows below its names {names}", { names: shown(names) }));
    return { columns, names, rows: columns[0].codes.length, encoding };
  };

  // The table of a file's bytes, or of a text that was pasted.
  const read = (content, name) => {
    const [text, encoding] = typeof content === "string" ? [content, ""] : decoded(content, name);
    return table(text, encoding, name);
  };

  return { read, column, cleaned, shown, casefold };
})();
