// Preloaded into a measured program: writes the peak memory of the process (kB) to a file that the bench reads.
const { writeFileSync } = require('node:fs');

const path = process.env.BENCH_PEAK_FILE;
if (path !== undefined) {
  // Don't pass the variable on to child processes, which would overwrite the file.
  delete process.env.BENCH_PEAK_FILE;
  process.on('exit', () => writeFileSync(path, String(process.resourceUsage().maxRSS)));
}
