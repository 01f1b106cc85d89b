// The search of a static copy: reads the address, filters the index, and shows hits as the live site does.
"use strict";

const AT_ONCE = 50;
const place = document.getElementById("found");
const asked = new URLSearchParams(location.search);

function folded(text, letters) {
  const latin = Array.from(text, (letter) => letters[letter] ?? letter).join("");
  return latin.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function hit(entry) {
  const item = element("li");
  const link = element("a", entry.name);
  link.href = place.dataset.root + entry.path;
  const title = element("h3");
  title.append(link);
  const meta = element("p", "", "meta");
  if (entry.when) meta.append(element("b", entry.when));
  if (entry.where) meta.append(element("span", entry.where));
  if (entry.free) meta.append(element("span", place.dataset.free, "tag free"));
  item.append(element("p", entry.word, "eyebrow"), title, meta);
  return item;
}

function show(entries) {
  const list = element("ul", "", "cards");
  const more = element("button", place.dataset.more, "button");
  let shown = 0;
  more.type = "button";
  more.addEventListener("click", next);
  function next() {
    list.append(...entries.slice(shown, shown + AT_ONCE).map(hit));
    shown += AT_ONCE;
    more.hidden = shown >= entries.length;
  }
  next();
  place.replaceChildren(entries.length ? list : element("p", place.dataset.nothing, "empty card"), more);
}

function matching({ letters, entries }) {
  const words = folded(asked.get("q") ?? "", letters).split(/\s+/).filter(Boolean);
  const town = folded(asked.get("place") ?? "", letters);
  const kind = asked.get("kind");
  return entries.filter(
    (entry) =>
      (!kind || entry.kind === kind) &&
      (!town || entry.place === town) &&
      (!asked.get("free") || entry.free) &&
      (!asked.get("online") || entry.online) &&
      words.every((word) => entry.words.includes(word)),
  );
}

document.getElementById("q").value = asked.get("q") ?? "";
fetch(place.dataset.index)
  .then((answer) => answer.json())
  .then((index) => show(matching(index)));
