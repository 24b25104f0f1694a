// Loaded before a measured program, in the way that costs it least: leaves the peak of its memory (kB) where the bench looks for it.
const { writeFileSync } = require('node:fs');

const path = process.env.BENCH_PEAK_FILE;
if (path !== undefined) {
  // Only the measured process itself: its own children would overwrite the figure.
  delete process.env.BENCH_PEAK_FILE;
  process.on('exit', () => writeFileSync(path, String(process.resourceUsage().maxRSS)));
}
