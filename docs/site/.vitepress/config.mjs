import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';

// build.ts writes the pages and what stands beside them. A dead link fails the build.
const sidebar = JSON.parse(readFileSync(new URL('../pages/sidebar.json', import.meta.url), 'utf8'));

// vitepress demands a default export here.
export default defineConfig({
  title: 'switchyard',
  description: 'Typed packages from a Model Router, and contract tests for it and the Workflow Execution API',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: false,
  head: [['meta', { name: 'referrer', content: 'no-referrer' }]],
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    nav: sidebar.map(({ text, items }) => ({ text, link: items[0].link })),
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
