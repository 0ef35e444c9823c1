/** Style sheet of the report: one column, light and dark, narrow and wide screens, print. */
export const style = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#5b6470;--line:#dfe3e8;--back:#fbfbfa;--card:#fff;--mark:#0b6e4f;--tint:#eef4f1;--warn:#8a5300;--warn-back:#fdf3e1}
@media (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--soft:#9aa4b0;--line:#2e343c;--back:#101215;--card:#15171c;--mark:#5fd0a5;--tint:#16241f;--warn:#f0b35a;--warn-back:#2a2013}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:58rem;margin:0 auto;padding:clamp(1rem,4vw,3rem) clamp(.9rem,4vw,2rem)}
h1{font-size:clamp(1.35rem,1rem + 2vw,2rem);line-height:1.22;margin:0 0 .3rem;letter-spacing:-.015em;text-wrap:balance;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.6rem 0 .8rem;letter-spacing:-.005em}
h3{font-size:1rem;margin:0 0 .5rem}
p{margin:.5rem 0;overflow-wrap:anywhere}
.eyebrow{color:var(--soft);font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;margin:0 0 .6rem}
.answer{font-size:1.09rem;background:var(--tint);border-left:4px solid var(--mark);border-radius:0 .5rem .5rem 0;padding:.7rem 1.1rem;margin:1.2rem 0}
.answer ul{margin:.4rem 0;padding-left:1.2rem}
.warn{color:var(--warn);background:var(--warn-back);border-radius:.5rem;padding:.55rem .9rem;margin:1rem 0;font-size:.93rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.9rem 1rem;margin:1rem 0}
.scroll{overflow-x:auto;-webkit-overflow-scrolling:touch}
.long{max-height:27rem;overflow:auto;border-bottom:1px solid var(--line)}
.chart svg,.chart img{display:block;width:100%;max-width:40rem;height:auto;margin:0 auto}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.36rem .7rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;max-width:24rem;overflow-wrap:break-word}
thead th{position:sticky;top:0;background:var(--card);font-weight:600;border-bottom-color:var(--soft);white-space:nowrap}
td.n,th.n{text-align:right;white-space:nowrap}
td.d{white-space:nowrap}
td.none{color:var(--soft)}
tbody tr:last-child>*{border-bottom:0}
.matrix td,.matrix thead th{text-align:center}
.matrix th:first-child{text-align:left;position:sticky;left:0;background:var(--card);white-space:normal;min-width:9rem;font-weight:500}
.matrix .yes{color:var(--mark);font-weight:700}
.small{color:var(--soft);font-size:.86rem}
ol.plan{list-style:none;margin:0;padding:0;counter-reset:step}
ol.plan>li{counter-increment:step;position:relative;padding:0 0 1rem 2.4rem}
ol.plan>li::before{content:counter(step);position:absolute;left:0;top:.05rem;width:1.6rem;height:1.6rem;border-radius:50%;background:var(--tint);color:var(--mark);font-weight:600;font-size:.85rem;display:grid;place-items:center}
ol.plan>li:last-child{padding-bottom:0}
code{font:.86em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--tint);border-radius:.25rem;padding:.08em .32em;overflow-wrap:anywhere}
pre{font:.8rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--back);border:1px solid var(--line);border-radius:.4rem;padding:.6rem .8rem;overflow-x:auto;margin:.4rem 0 0}
details>summary{cursor:pointer;color:var(--soft);font-size:.86rem}
.tags{display:flex;flex-wrap:wrap;gap:.3rem;margin:.3rem 0}
footer{margin-top:3rem;color:var(--soft);font-size:.82rem}
@media (max-width:30rem){th,td{padding:.32rem .4rem}table{font-size:.82rem}thead th{white-space:normal}}
@media print{.long{max-height:none}body{background:#fff}.card{break-inside:avoid}details{display:none}}
`
