// The gallery's filter: cards that have every typed word stay. Without a script all cards are there, and no field.
"use strict";
const field = document.createElement("input"), said = document.createElement("p");
field.type = "search";
field.placeholder = "Filter: divergence, OpenCL, gfx900 …";
field.setAttribute("aria-label", "filter programs");
said.setAttribute("role", "status");
field.oninput = () => {
	const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
	let shown = 0;
	for (const card of document.querySelectorAll(".cards > li")) {
		const text = card.textContent.toLowerCase();
		card.hidden = !words.every((w) => text.includes(w));
		shown += !card.hidden;
	}
	for (const list of document.querySelectorAll(".cards"))
		list.previousElementSibling.hidden = !list.querySelector("li:not([hidden])");
	said.textContent = !words.length ? "" : shown + (shown === 1 ? " program" : " programs");
};
document.querySelector("main > p").after(field, said);
