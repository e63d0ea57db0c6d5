"""How a report looks: light, dark and printed."""

STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1b2228;--soft:#5c6a75;--line:#d9dfe4;
--tile:#f4f6f8;--left:#1f77b4;--right:#d9622b;--was:#b9c2ca;--is:#138a72;--bar:#7fa8c9;
--good:#137a52;--bad:#b3261e;--truth:#c02a7a;--mark:#fff3cd}
@media (prefers-color-scheme:dark){:root{--paper:#12171c;--ink:#e6ebef;--soft:#9aa8b3;
--line:#2c353d;--tile:#1b2228;--left:#5aa9e6;--right:#f08a57;--was:#55626d;--is:#3ec9a7;
--bar:#47739a;--good:#3ec98a;--bad:#ff8a80;--truth:#ff7ac0;--mark:#3d3413}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1040px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:30px;margin:0 0 4px}h2{font-size:20px;margin:36px 0 10px}
.over{margin:0;color:var(--soft)}
.verdict{font-weight:700;padding:2px 10px;border-radius:4px;color:var(--paper)}
.verdict.good{background:var(--good)}.verdict.bad{background:var(--bad)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(152px,1fr));gap:10px;
margin-top:18px}
.tiles div{background:var(--tile);border-radius:8px;padding:10px 14px}
.tiles b,.tiles small{display:block;font-weight:400;font-size:13px;color:var(--soft)}
.tiles strong{display:block;font-size:16px;white-space:nowrap;
font-variant-numeric:tabular-nums}
.advice{padding-left:20px;margin:0}.advice li{margin:6px 0;max-width:80ch}
.note{color:var(--soft);font-size:14px;max-width:90ch}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:3px 12px 3px 0;text-align:left;vertical-align:middle}
td+td{border-left:0}thead th{border-bottom:1px solid var(--line);font-weight:600}
.numbers td:nth-child(n+2):not(:nth-last-child(-n+2)),
.numbers thead th:nth-child(n+2):not(:nth-last-child(-n+2)){text-align:right}
tr.group th{padding-top:12px;color:var(--soft);font-weight:600}
tr.off td{background:var(--mark)}
pre{background:var(--tile);padding:14px;border-radius:8px;overflow-x:auto;font-size:12px}
code{font:0.92em ui-monospace,Menlo,Consolas,monospace}
figure{margin:0}figcaption{font-size:13px;color:var(--soft)}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(330px,1fr));gap:22px}
.plots svg{width:100%;max-height:340px;display:block}
svg text{font-size:11px;fill:var(--soft)}
.axis{stroke:var(--soft);stroke-width:.8;fill:none}.grid{stroke:var(--line);fill:none}
.frame{fill:none;stroke:var(--line)}
.ring{fill:none;stroke:var(--ink);stroke-width:1;stroke-dasharray:4 3}
circle.left{fill:var(--left);opacity:.55}circle.right{fill:var(--right);opacity:.55}
rect.bar{fill:var(--bar)}.law{fill:none;stroke:var(--ink);stroke-width:1.6}
rect.was{fill:var(--was)}rect.is{fill:var(--is)}
.whisker{stroke:var(--ink);stroke-width:1.2;fill:none}
.interval{vertical-align:middle}.truth{fill:none;stroke:var(--truth);stroke-width:1.6}
.key span::before{content:"";display:inline-block;width:11px;height:11px;
margin:0 6px 0 0;border-radius:3px}.key span{margin-right:18px}
.key .left::before{background:var(--left)}.key .right::before{background:var(--right)}
.key .was::before{background:var(--was)}.key .is::before{background:var(--is)}
.views{display:grid;grid-template-columns:1fr;gap:20px}
.view div{display:grid;grid-template-columns:1fr 1fr;gap:8px}
.view svg{width:100%;max-height:420px;border-radius:6px;background:#000}
.model{fill:none;stroke:#ffb000;stroke-width:1.1;vector-effect:non-scaling-stroke}
.off{stroke:#ff4d6d;stroke-width:1.4;vector-effect:non-scaling-stroke}
.seen{fill:none;stroke:#19e3ff;stroke-width:1.4;vector-effect:non-scaling-stroke}
@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--tile:#f4f4f4}
main{max-width:none;padding:0}section,figure,tr{break-inside:avoid}
section:has(table){break-inside:auto}details{display:none}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""
