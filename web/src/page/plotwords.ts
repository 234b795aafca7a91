// What the board of charts says, and how it looks.
import type { Words } from "../payload";

/** Words by key; groups of curves are among them. */
export const PLOTS_WORDS: Record<string, Words> = {
  coordinates: { en: "Coordinates", ru: "Координаты" },
  velocities: { en: "Velocities", ru: "Скорости" },
  energy: { en: "Energy", ru: "Энергия" },
  kinetic: { en: "kinetic", ru: "кинетическая" },
  potential: { en: "potential", ru: "потенциальная" },
  total: { en: "total", ru: "полная" },
  quantities: { en: "Asked for", ru: "Заданные" },
  signals: { en: "Signals", ru: "Сигналы" },
  groups: { en: "What is shown", ru: "Что показано" },
  angles: { en: "Angles in degrees or radians", ru: "Углы в градусах или радианах" },
  zoom: { en: "Zoom", ru: "Лупа" },
  zoomHelp: {
    en: "A click or drag over a plot moves in time. With the zoom on, or with Shift, a drag chooses what is shown; Ctrl and the wheel come nearer, Shift and the wheel go aside; a double click shows all. A name can be dragged to another plot of the same unit.",
    ru: "Щелчок или протяжка по графику переводит время. С лупой или с Shift протяжка выбирает, что показать; Ctrl и колесо приближают, Shift и колесо сдвигают; двойной щелчок показывает всё. Имя можно перетащить на другой график той же единицы.",
  },
  whole: { en: "Whole time", ru: "Всё время" },
  search: { en: "Find curves", ru: "Найти кривые" },
  constant: { en: "constant", ru: "постоянно" },
  compared: { en: "dashed: the run of the page", ru: "пунктир: расчёт страницы" },
  jumps: { en: "{count} events", ru: "событий: {count}" },
  none: { en: "No curves yet: start the live mode.", ru: "Кривых пока нет: запустите режим «вживую»." },
  near: {
    en: "Curves are drawn within {part} % of their range.",
    ru: "Кривые нарисованы с точностью {part} % их размаха.",
  },
  crowded: {
    en: "So much happens here that not every swing of the curves is drawn.",
    ru: "Здесь столько событий, что нарисован не каждый размах кривых.",
  },
};

export const PLOTS_STYLE = `
.plots-bar::after{content:"";display:block;clear:both}
.plots-tools{float:right;display:flex;gap:6px;margin:0 0 6px 10px}
.plots-chips{display:contents}
.plots-chip{margin:0 6px 6px 0}
.plots-chip{min-height:30px;padding:0 11px;border:1px solid var(--line);border-radius:15px;background:none;color:var(--dim);
 font-size:13px;cursor:pointer}
.plots-chip:hover{border-color:var(--dim)}
.plots-chip[aria-pressed="true"]{background:color-mix(in srgb,var(--accent) 12%,transparent);border-color:transparent;color:var(--ink)}
.plots-tool{min-height:30px;min-width:34px;padding:0 10px;border:1px solid var(--line);border-radius:7px;background:none;
 color:var(--ink);font-size:13px;cursor:pointer}
.plots-tool:hover{border-color:var(--dim)}
.plots-tool[aria-pressed="true"]{background:var(--accent);border-color:var(--accent);color:var(--paper)}
.plots-note{color:var(--dim);font-size:12px;margin:0 0 6px}
.plots-chart{margin:14px 0 0;padding:0;min-width:0}
.plots-chart figcaption{display:flex;gap:8px;align-items:baseline;font-weight:600;font-size:13px;padding-left:2px}
.plots-search{min-height:30px;width:120px;padding:0 9px;border:1px solid var(--edge);border-radius:6px;background:var(--paper);color:var(--ink);font-size:13px}
.plots-remark{margin-left:auto;color:var(--dim);font-weight:400;font-size:12px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.plots-chart.over{outline:2px dashed var(--accent);outline-offset:3px;border-radius:6px}
.plots-unit{color:var(--dim);font-weight:400}
.plots-paper{position:relative;height:164px;margin-top:2px}
.plots-paper .u-over{cursor:crosshair;touch-action:pan-y}
.plots-paper .u-cursor-x,.plots-paper .u-cursor-y,.plots-paper .u-cursor-pt{display:none}
.plots-now,.plots-hover{position:absolute;top:0;bottom:0;left:0;width:0;pointer-events:none;will-change:transform}
.plots-now{border-left:1.5px solid var(--ink)}
.plots-hover{border-left:1px dashed var(--dim)}
.plots-zone{position:absolute;top:0;bottom:0;background:var(--accent);opacity:.16;pointer-events:none}
.plots-legend{position:relative;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(144px,100%),1fr));gap:0 8px;margin:2px 0 0;padding:0;list-style:none}
.plots-key{display:flex;align-items:center;gap:7px;width:100%;min-height:26px;padding:0 4px;border:0;border-radius:6px;background:none;
 text-align:left;cursor:pointer;font-size:12.5px;color:var(--ink)}
.plots-key:hover{background:var(--plate)}
.plots-key::before{content:"";flex:none;width:14px;height:3px;border-radius:2px;background:var(--own)}
.plots-key[aria-pressed="false"]{color:var(--dim)}
.plots-key[aria-pressed="false"]::before{background:var(--line)}
.plots-key[aria-pressed="false"] .plots-name{text-decoration:line-through}
.plots-name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;unicode-bidi:isolate;min-width:1.5em}
.plots-value{margin-left:auto;padding-left:2px;color:var(--dim);font-variant-numeric:tabular-nums;white-space:nowrap}
@media (max-width:700px){.plots-bar{display:flex;flex-direction:row-reverse;gap:8px}.plots-tools{float:none;flex:none;margin:0}
.plots-chips{display:flex;flex:1;min-width:0;overflow-x:auto;scrollbar-width:none}.plots-chip{flex:none;margin-bottom:0;border-radius:20px}
.plots-search{width:92px}.plots-chip,.plots-tool,.plots-key,.plots-search{min-height:40px}.plots-paper{height:190px}}
`;
