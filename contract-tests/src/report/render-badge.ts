import { type ConformanceReport, exitCodeOf, listFailures } from './report.ts';

const colours = { 0: '#1a7f37', 1: '#b42318', 3: '#57606a', 4: '#8a5a00' } as const;
const label = 'contract';

export function renderBadge(report: ConformanceReport): string {
  const code = exitCodeOf(report);
  const { rules, checked } = report.coverage;
  const words = {
    0: checked === rules ? `${rules} rules pass` : `${checked} of ${rules} rules pass`,
    1: `${listFailures(report).length} rules fail`,
    3: 'not decided',
    4: 'incomplete',
  };
  // Words and numbers of ours: nothing of the target is in them.
  const text = words[code];
  const widths = [label, text].map((part) => Math.round(part.length * 6.6) + 14);
  const [left = 0, right = 0] = widths;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${text}">
<title>${label}: ${text}</title>
<rect width="${left + right}" height="20" rx="3" fill="#24292f"/>
<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z" fill="${colours[code]}"/>
<g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14">${label}</text>
<text x="${left + right / 2}" y="14">${text}</text>
</g>
</svg>
`;
}
