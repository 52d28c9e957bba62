import react from '@astrojs/react';
import { defineConfig } from 'astro/config';

export default defineConfig({
  site: 'https://example.com',
  output: 'static',
  trailingSlash: 'always',
  integrations: [react()],
  outDir: './out',
  cacheDir: './cache',
  build: { format: 'directory' },
  vite: { cacheDir: './vite-cache' },
});
