import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';

// build.ts writes the pages and what stands beside them. A dead link fails the build.
const sidebar = JSON.parse(readFileSync(new URL('../pages/sidebar.json', import.meta.url), 'utf8'));
const icon = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect width='8' height='8' rx='2' fill='#4f46e5'/></svg>`;

// vitepress demands a default export here.
export default defineConfig({
  title: 'switchyard',
  description: 'Typed packages from a Model Router, and contract tests for it and the Workflow Execution API',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: false,
  head: [
    ['meta', { name: 'referrer', content: 'no-referrer' }],
    ['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }],
  ],
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    nav: [
      { text: 'Tutorial', link: '/tutorial.md' },
      { text: 'All pages', link: '/README.md' },
      { text: 'Commands', link: '/reference/commands.md' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
