// Preloaded into a measured program: writes its peak memory (kB) to the file that the bench reads.
const { writeFileSync } = require('node:fs');

const path = process.env.BENCH_PEAK_FILE;
if (path !== undefined) {
  // Only the measured process itself: its own children would overwrite the figure.
  delete process.env.BENCH_PEAK_FILE;
  process.on('exit', () => writeFileSync(path, String(process.resourceUsage().maxRSS)));
}
