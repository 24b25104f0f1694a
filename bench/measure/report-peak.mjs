// Loaded before a measured program: leaves the peak of its memory (kB) where the bench looks for it.
import { writeFileSync } from 'node:fs';

const path = process.env.BENCH_PEAK_FILE;
if (path !== undefined) {
  // Only the measured process itself: its own children would overwrite the figure.
  delete process.env.BENCH_PEAK_FILE;
  process.on('exit', () => writeFileSync(path, String(process.resourceUsage().maxRSS)));
}
