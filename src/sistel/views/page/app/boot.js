
// The page's scripts are packed; this unpacks and starts them.
try {
  const letters = atob(document.getElementById("app").textContent);
  const packed = new Blob([Uint8Array.from(letters, (letter) => letter.charCodeAt(0))]);
  const text = await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).text();
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  await import(address);
  URL.revokeObjectURL(address);
} catch (problem) {
  console.error(problem);
  const note = document.createElement("p");
  note.className = "note warn";
  note.textContent =
    document.documentElement.lang === "ru"
      ? `Страницу не удалось запустить (нужен браузер не старше 2023 года): ${problem}`
      : `The page could not be started (it needs a browser of 2023 or later): ${problem}`;
  document.querySelector("[data-part=picture]").append(note);
}
